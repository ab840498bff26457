"""`python -m circlet` is the `circlet` command."""

from circlet.app.cli import main

if __name__ == "__main__":
    main()
