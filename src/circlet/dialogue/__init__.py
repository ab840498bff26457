"""Sessions over turns: feedback, history, simulated users."""
