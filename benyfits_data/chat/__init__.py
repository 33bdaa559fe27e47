"""One page on which a person talks with an agent: a resident, a demonstration, a study.

A resident talks with the planner, in this process; nothing is written. A model's agent plays in a
process of its own, by the same code as `benyfits-data eval`, and leaves the same log.
"""
