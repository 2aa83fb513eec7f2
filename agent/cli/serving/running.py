"""Where a command is carried out: in the service of its folder where there is one, else in this process."""

from agent.cli.asking import Asked, RunOptions
from agent.cli.serving.choosing import ServiceChoice


def run_somewhere(asked: Asked, options: RunOptions, choice: ServiceChoice) -> int:
    """Carry out what was asked and return the exit code; what this process alone needs is imported where it is needed."""
    if choice.may_find(asked.workspace):
        from agent.cli.serving.passages import run_through

        if (code := run_through(asked, options, choice)) is not None:
            return code
    from agent.cli.commands.run import run_request

    return run_request(asked, options)
