from benyfits_data.fuzz.coverage_charts import draw_features


def test_pictures_are_the_same_bytes_each_time() -> None:
    assert draw_features([("age", 2)], 2) == draw_features([("age", 2)], 2)
    assert draw_features([("age", 2)], 2) != draw_features([("age", 3)], 3)
