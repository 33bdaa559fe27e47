"""Who plays the roles of a dialog besides served models: reference players, the embedded model."""
