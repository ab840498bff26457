"""Reading one of a few pictures by facts: where named things show, what that measures, which is meant."""
