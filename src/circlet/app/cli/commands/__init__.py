"""One file a command; `circlet.app.cli.main` lists them and loads each on first use."""
