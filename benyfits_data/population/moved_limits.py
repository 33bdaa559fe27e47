"""An edition whose limits lie a little higher or lower: who is near one."""

from dataclasses import replace

from benyfits_data.editions import Edition, SizeTable, Threshold
from benyfits_data.editions.thresholds import Value


def move_thresholds(edition: Edition, share: float = 0.0, years: int = 0) -> Edition:
    """Return an edition of the programs that have a limit to move, with the limits moved.

    Args:
        edition: The edition as it is.
        share: How much every amount of money is raised; negative lowers it.
        years: How many years are added to every age; negative takes away.
    """
    programs = {}
    for program in edition.programs.values():
        moved = {
            name: _moved(entry, share, years)
            for name, entry in program.thresholds.entries.items()
            if (share if _is_money(entry) else years if entry.unit == "years" else 0)
        }
        if moved:
            thresholds = program.thresholds.with_values(moved)
            programs[program.name] = replace(program, thresholds=thresholds)
    return replace(edition, programs=programs)


def _is_money(entry: Threshold) -> bool:
    return entry.unit.startswith("dollars")


def _moved(entry: Threshold, share: float, years: int) -> Value:
    value = entry.value
    if isinstance(value, bool) or not isinstance(value, int | float | SizeTable):
        return value
    if not _is_money(entry):
        assert isinstance(value, int | float)
        return max(value + years, 0)
    if isinstance(value, SizeTable):
        each = value.each_additional
        rows = {size: _scaled(amount, share) for size, amount in value.rows.items()}
        return SizeTable(value.name, rows, None if each is None else _scaled(each, share))
    return _scaled(value, share)


def _scaled(amount: int | float, share: float) -> int | float:
    scaled = amount * (1 + share)
    return round(scaled) if isinstance(amount, int) else round(scaled, 2)
