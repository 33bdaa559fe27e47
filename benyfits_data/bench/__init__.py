"""How fast the building steps are, beside other tracers, and what interviews take."""
