"""What there is to learn from: each task turns its data into batches and a loss."""
