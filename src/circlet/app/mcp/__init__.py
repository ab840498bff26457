"""An assistant looks through somebody's own pictures: the tools, and the server that offers them."""
