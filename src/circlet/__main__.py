"""The `circlet` command, also as `python -m circlet`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C is a line and an exit code even while it is being loaded."""
    try:
        from circlet.app.cli.handing import handed

        if (code := handed(sys.argv[1:])) is not None:
            sys.exit(code)
        from circlet.app.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("circlet: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
