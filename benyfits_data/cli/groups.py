"""Groups of commands: a mistyped command is answered with the nearest, modules load when used."""

import importlib
from collections.abc import Mapping
from typing import NamedTuple

import click


class NounGroup(click.Group):
    """A noun with its verbs; a name that stands for none is answered with the nearest ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, and the other arguments.

        Raises:
            UsageError: There is none of that name.
        """
        from benyfits_data.spelling import suggest

        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            listed = f"`{ctx.command_path} --help` names all commands."
            hint = suggest(name, self.list_commands(ctx), listed)
            ctx.fail(f"No such command {name!r}. {hint}")
        return super().resolve_command(ctx, args)


class Place(NamedTuple):
    """Where a command is defined, and what help says of it without importing that.

    Attributes:
        module: A module `cmd_MODULE` of this package.
        says: One sentence.
        name: What the module calls the command.
    """

    module: str
    says: str
    name: str = "command"


class LazyGroup(NounGroup):
    """A group whose commands are imported when they run, listed in sections.

    Attributes:
        sections: Where each command is, by its name, by the title of its section.
    """

    sections: Mapping[str, Mapping[str, Place]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, section by section."""
        return [name for places in self.sections.values() for name in places]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or `None` when there is none of that name."""
        for places in self.sections.values():
            if place := places.get(cmd_name):
                module = importlib.import_module(f"benyfits_data.cli.cmd_{place.module}")
                command = getattr(module, place.name)
                assert isinstance(command, click.Command)
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a table of commands for each section."""
        for title, places in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name, place.says) for name, place in places.items()])
