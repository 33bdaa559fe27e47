"""The names that a text reads: its template, parsed once for all rules."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import jinja2
from jinja2 import nodes

from benyfits_data.editions.toml_file import read_text


def template_of(path: Path) -> nodes.Template | None:
    """Return the template of a text; `None` where it cannot be parsed, which rendering reports."""
    return _parsed(read_text(path))


@lru_cache(maxsize=256)
def _parsed(text: str) -> nodes.Template | None:
    try:
        return jinja2.Environment(autoescape=False).parse(text)
    except jinja2.TemplateSyntaxError:
        return None


def names_in(node: nodes.Node) -> set[str]:
    """Return the names that stand anywhere in a part of a template."""
    inner = {name.name for name in node.find_all(nodes.Name)}
    return inner | {node.name} if isinstance(node, nodes.Name) else inner


def names_in_force(node: nodes.Node, switches: Mapping[str, bool]) -> Iterator[str]:
    """Yield the names that a template reads, without the branches that switches turn off."""
    if isinstance(node, nodes.If) and isinstance(node.test, nodes.Name):
        state = switches.get(node.test.name)
        if state is not None:
            for inner in node.body if state else [*node.elif_, *node.else_]:
                yield from names_in_force(inner, switches)
            return
    if isinstance(node, nodes.Name):
        yield node.name
    for child in node.iter_child_nodes():
        yield from names_in_force(child, switches)


def names_tested(template: nodes.Template) -> set[str]:
    """Return the names that conditions of a template test."""
    conditions = template.find_all((nodes.If, nodes.CondExpr))
    return set().union(*(names_in(condition.test) for condition in conditions))  # type: ignore[attr-defined]


def calls_of(template: nodes.Template, function: str) -> Iterator[nodes.Call]:
    """Yield the calls of a function in a template."""
    for call in template.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == function:
            yield call
