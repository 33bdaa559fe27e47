"""Tables, pictures and the report page."""
