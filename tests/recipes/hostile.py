"""Recipes that were written to be dear to read: each is no game, or is as large as one may be."""

from typing import Final

DEEP: Final = {
    "dotted key": "a" + ".a" * 3980 + " = 1",
    "spaced and quoted key": "a" + " . \"a\"\t.'a'" * 500 + " = 1",
    "header and key": "[" + "a." * 1980 + "a]\n" + "b." * 1980 + "b = 1",
    "headers": "".join(f"[[a{'.a' * at}]]\n" for at in range(80)),
    "keys of one table": "".join(f"{'a.' * 30}b{at} = 1\n" for at in range(110)),
    "after quoted texts": 'a = \'\'\'"""\'\'\'\' #\'\'\'\nb = """\'\'\'\\""""""\nc = "\\"#"'
    + "\n"
    + "a." * 3900
    + "a = 1",
    "in an inline table": "a = {" + "a." * 3900 + "a = 1}",
    "inline tables": "a = " + "{a = " * 900 + "1" + "}" * 900,
    "lists": "title = " + "[" * 3900 + "]" * 3900,
}
"""What goes deeper than a recipe can."""
LONG: Final = {
    "tables": "".join(f"[a{at}]\n" for at in range(1000)),
    "lists of tables": "[[a]]\n" * 1300,
    "keys": "".join(f"a{at}=1\n" for at in range(1000)),
    "quoted keys": "".join(f'"{at}"=1\n' for at in range(900)),
    "list": "a=[" + "1," * 3980 + "]",
    "list in lines": "a=[" + "1\n,\n" * 1980 + "]",
    "inline table": "a={" + ",".join(f"b{at}=1" for at in range(1000)) + "}",
    "digits": "title=" + "9" * 4200,
    "hexadecimal digits": "title=0x" + "f" * 7900,
    "fraction": "title=" + "9" * 4000 + "." + "9" * 3900,
    "dates": "a=[" + "1979-05-27T07:32:00.999Z," * 300 + "]",
    "text in lines": 'title="""' + "\\\n" * 3900 + '"""',
    "escapes": 'title="' + "\\n" * 3900 + '"',
    "quotes without an end": 'a = "' + '\'\'\'""" \\" ' * 700 + "\\",
    "blank lines": "\n" * 7990,
    "comments": "#\n" * 3990,
    "long name": "title='x'\n" + "a" * 7900 + "=1",
    "names in a long table": "[" + "a" * 3900 + "]\n" + "b\n" * 1900,
    "moves of heaps": "title='x'\nnumbers={kind='any',to='t'}\ntotals={whose='heaps',begin=[" + "999," * 20 + "]}\n"
    "turn.operations='+-*/'\nend={target=998,turns=99}\n"
    "settings.t={usual=7,from=1,to=99}",
}
"""What is long, within the bounds of a recipe."""
LARGEST_GAME: Final = """\
title = "x"
numbers = { kind = "pool", to = "pool" }
totals = { whose = "each", begin = "b" }
turn.operations = "+-*/"
end = { target = "t", turns = "u" }
settings.pool = { usual = 99, from = 90, to = 99 }
settings.b = { usual = 1, from = 0, to = 9 }
settings.t = { usual = 998, from = 900, to = 998 }
settings.u = { usual = 40, from = 1, to = 49 }
"""
"""A game that takes about as long to make as any."""
