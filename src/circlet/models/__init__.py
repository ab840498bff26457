"""Everything with weights: encoders, composers, scorers."""
