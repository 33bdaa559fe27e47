"""Runs in the sandbox: a program on many households, each made anew for each call.

The file is text for the sandbox: it imports nothing of this package.
"""

# mypy: ignore-errors
import binascii
import marshal
import sys
import traceback

SPACE = {}
DEFAULTS = ({}, {})
SHOWN = 200


def answer(request):
    """Return what the one of the two things asked for gives."""
    return load(request) if "source" in request else run(request["households"], request["trace"])


def load(request):
    """Return what keeps a program from running at all, and whether it fails while it is loaded."""
    global DEFAULTS
    DEFAULTS = request["defaults"]
    SPACE.clear()
    SPACE["__name__"] = "program"
    try:
        code = compile(request["source"], "<program>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"no_program": "no Python: " + _said(error)}
    try:
        exec(code, SPACE)
    except BaseException as error:
        return {"failure": "while it is loaded, " + _said(error)}
    if "check" not in SPACE:
        return {"no_program": "it defines no `check`"}
    return {}


def run(households, trace):
    """Return an answer a household (T, F, or X for none) and why there is none.

    Args:
        households: Packed, of each the facts that are no defaults, and those of each member.
        trace: Whether the last line that each ran is told.
    """
    shared, member = DEFAULTS
    answers, failures, lines = [], {}, []
    unpacked = marshal.loads(binascii.a2b_base64(households))
    for place, (facts, members) in enumerate(unpacked):
        given = {**shared, **facts, "members": [{**member, **entry} for entry in members]}
        last = [0]

        def follow(frame, event, argument, last=last):
            if frame.f_code.co_filename != "<program>":
                return None
            last[0] = frame.f_lineno
            return follow

        try:
            if trace:
                sys.settrace(follow)
            returned = SPACE["check"](given)
        except BaseException as error:
            answers.append("X")
            failures[place] = _said(error)
        else:
            answers.append("T" if returned is True else "F" if returned is False else "X")
            if answers[-1] == "X":
                failures[place] = "returned " + _shown(returned) + ", not True or False"
        finally:
            sys.settrace(None)
        lines.append(last[0])
    return {"answers": "".join(answers), "failures": failures, "lines": lines if trace else []}


def _said(error):
    """Return an exception in a line, and where it was raised."""
    try:
        text = f"{type(error).__name__}: {error}"[:SHOWN]
    except BaseException:
        text = type(error).__name__
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__, limit=-20)
        if frame.filename == "<program>"
    ]
    return f"{text} (line {lines[-1]})" if lines else text


def _shown(value):
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        return "a huge number"
    try:
        return repr(value)[:60]
    except BaseException:
        return f"a value of type {type(value).__name__}"
