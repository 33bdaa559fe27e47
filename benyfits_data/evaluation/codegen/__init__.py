"""Programs that models write for ProADA: how they are asked for, checked, typed and run."""
