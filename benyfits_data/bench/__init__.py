"""How fast the building steps are, beside the tracers that others use."""
