"""The city's open dataset "Benefits and Programs", compared with an edition."""
