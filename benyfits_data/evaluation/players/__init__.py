"""Who plays the roles of a dialog besides served models: people and reference players."""
