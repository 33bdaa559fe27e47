"""Tools for maintainers: values in spreadsheets, editions compared, past ones kept as they were."""
