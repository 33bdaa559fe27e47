from benyfits_data.fuzz.coverage_charts import draw_growth


def test_pictures_are_the_same_bytes_each_time() -> None:
    assert draw_growth([1, 2], 2) == draw_growth([1, 2], 2)
    assert draw_growth([1, 2], 2) != draw_growth([1, 3], 3)
