"""The page and the HTTP API; everything here is loaded by `circlet serve` alone."""
