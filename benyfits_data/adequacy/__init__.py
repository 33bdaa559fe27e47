"""How adequate a set is: which wrong checkers and deciding conditions it notices, proven."""
