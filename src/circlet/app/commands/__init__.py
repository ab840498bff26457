"""One file a command; `circlet.app.cli` lists them and loads each on first use."""
