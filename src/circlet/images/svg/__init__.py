"""SVG drawings: their markup made harmless, and processes apart that draw them."""
