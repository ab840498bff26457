"""`circlet completion SHELL`: what makes a shell complete circlet's commands and options."""

import click


@click.command(
    epilog="""\b
Examples:
  circlet completion bash >> ~/.bashrc
  circlet completion zsh >> ~/.zshrc
  circlet completion fish > ~/.config/fish/completions/circlet.fish
"""
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the lines that make your shell complete circlet's commands and options."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None, "click completes all three"
    click.echo(made(ctx.find_root().command, {}, "circlet", "_CIRCLET_COMPLETE").source())
