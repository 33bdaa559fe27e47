"""Bodies of functions that want out of their cell, or want all of it."""

import textwrap

ESCAPES = {
    "reads a file": "open('/etc/passwd').read()",
    "writes a file": "open('/tmp/escaped_benyfits', 'w').write('x')",
    "reads a file by path": "import pathlib\npathlib.Path('/etc/passwd').read_text()",
    "lists a folder": "__import__('os').listdir('/')",
    "makes a folder": "__import__('os').mkdir('/x')",
    "opens a data base": "__import__('sqlite3').connect('/tmp/x.db').execute('create table a(b)')",
    "runs a command": "import os\nos.system('true')",
    "climbs to a command": "kinds = {kind.__name__: kind for kind in object.__subclasses__()}\n"
    "kinds['_wrap_close'].__init__.__globals__['system']('true')",
    "opens through a frame": "import sys\n"
    "sys._getframe(2).f_globals['__builtins__'].open('/etc/passwd').read()",
    "starts a process": "__import__('subprocess').run(['true'])",
    "forks": "__import__('os').fork()",
    "opens a socket": "import socket\nsocket.socket()",
    "asks for an address": "__import__('socket').getaddrinfo('localhost', 80)",
    "starts a thread": "import threading\nthreading.Thread(target=print).start()",
    "uses ctypes": "import ctypes\nctypes.string_at(0)",
    "unpickles": "import pickle\npickle.loads(b'cos\\nsystem\\n.')()",
    "touches our package": "import benyfits_data",
    "calls the host": "__host__('secret')",
    "reads a variable": "import os\nos.environ['PATH']",
    "reads another request": "__import__('sys').stdin.read()",
    "fails to import": "import nothing_of_the_kind",
    "raises what nobody catches": "raise KeyboardInterrupt",
    "says something huge": "raise ValueError('x' * 10_000_000)",
}
"""What a guest lacks: each ends in an error of its own."""
BOMBS = {
    "endless loop": ("while True: pass", "timed_out"),
    "endless loop that catches": (
        "while True:\n    try: pass\n    except BaseException: pass",
        "timed_out",
    ),
    "huge number": ("9 ** (9 ** 8)", "timed_out"),
    "huge range": ("max(range(10 ** 12))", "timed_out"),
    "reading the clock for ever": ("import time\nwhile True: time.time()", "timed_out"),
    "writing nothing for ever": ("import os\nwhile True: os.write(2, b'')", "timed_out"),
    "memory, bit by bit": ("x = []\nwhile True: x.append(bytearray(10 ** 6))", "out_of_memory"),
    "memory, at once": ("bytearray(10 ** 9)", "out_of_memory"),
    "doubling": ("x = b'0'\nwhile True: x = x + x", "out_of_memory"),
    "a flood of lines": ("while True: print('x')", "too_much_output"),
    "a flood in one piece": ("print('x' * 10 ** 7)", "too_much_output"),
    "a flood of errors": ("import sys\nwhile True: sys.stderr.write('x')", "too_much_output"),
    "a flood past print": ("import os\nwhile True: os.write(1, b'x' * 1000)", "too_much_output"),
}
"""What takes too much, and how its guest is stopped."""


def function(body, header="def check():"):
    """Return a function with a body."""
    return f"{header}\n{textwrap.indent(body, '    ')}\n"
