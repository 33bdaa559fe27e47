"""The paper's smaller studies, one command each: who reads answers, who gives them, who judges.

Toles and others (arXiv 2502.19610) mapped 102 answers to values, and annotated 61 answers of the
simulated user by hand; both are done here with items of our own, by any model, any number of times.
"""
