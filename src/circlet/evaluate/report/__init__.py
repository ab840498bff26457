"""Numbers for people: tables, plots and pages."""
