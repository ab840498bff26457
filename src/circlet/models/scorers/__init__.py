"""Who checks candidates one by one: the clauses of a query, each with a probability."""
