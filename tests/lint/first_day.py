# SPDX-License-Identifier: Apache-2.0
# first_day.py FOLDER compares docs/first-day.md with the sources of the tree in
# FOLDER, both ways: its words are printed, and what is printed between nodes has a
# row; and its fields of mrt-info and its variables exist. Prints what does not fit.
import glob
import os
import re
import sys

ROOT = sys.argv[1]
PAGE = "docs/first-day.md"
LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
# what prints, or keeps for printing, the words of a fault
CALLS = re.compile(
    r"\b(log_error|log_warn|fault_raise\w*|vb_broken|vb_lost|end_job|port_went|"
    r"note)\s*\(|return (?=\")"
)
# what only follows on other words, or is of level info
PARTS = re.compile(r"; |is faster|has more ports")


def read(path):
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def sources(*patterns):
    names = [n for p in patterns for n in glob.glob(os.path.join(ROOT, p))]
    return {
        os.path.relpath(n, ROOT): re.sub(r"/\*.*?\*/", "", read(n), flags=re.S)
        for n in sorted(names)
    }


def literals(text):
    """The literals of C, those that follow one another joined."""
    for found in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
        yield "".join(re.findall(LITERAL, found.group())).replace('\\"', '"')


def arguments(text, at):
    """The text from `at` on up to the bracket or semicolon that ends it."""
    depth = 0
    for token in re.finditer(LITERAL + r"|[();]", text[at:]):
        depth += {"(": 1, ")": -1}.get(token.group(), 0)
        if depth < 0 or token.group() == ";":
            return text[at : at + token.start()]
    return text[at:]


def columns(heading, page):
    """The quoted words in the first column of the tables with this heading."""
    for table in re.findall(r"^\| %s \|.*\n\|[-|]*\n((?:\|.*\n)*)" % heading, page, re.M):
        for row in table.splitlines():
            yield from re.findall(r"`([^`]+)`", row.split(" | ")[0])


def shows(words, text):
    pattern = ".*".join(re.escape(w) for w in words.split("..."))
    return re.search(pattern, text) is not None


def words_of_page(page):
    words = list(columns("words", page))
    printed = [
        text
        for body in sources("runtime/*/*.c", "runtime/*/*/*.c", "launcher/*.c").values()
        for text in literals(body)
    ]
    for w in words:
        if not any(shows(w, text) for text in printed):
            print(f"{PAGE}: nothing prints '{w}'")
    return words


def messages(words):
    for name, body in sources(
        "runtime/fabric/verbs/*.c",
        "runtime/fabric/ofi/*.c",
        "runtime/fabric/*.c",
        "runtime/boot/*.c",
    ).items():
        for call in CALLS.finditer(body):
            said = arguments(body, call.end())
            texts = [t for t in literals(said) if len(re.findall("[a-z]", t)) > 7]
            if not texts or "MRT_ERR_NO_MEM" in said or PARTS.search(texts[0]):
                continue
            if not any(shows(w, t) for w in words for t in texts):
                print(f"{name}: {PAGE} does not tell of '{texts[0]}'")


def fields(page):
    known = {
        text
        for body in sources("tools/info/*.c", "launcher/engine*.c").values()
        for text in literals(body)
    }
    names = list(columns("field", page))
    names += re.findall(r"^      (\S[^\n]*?)  +\S", page, re.M)
    for name in names:
        if name not in known:
            print(f"{PAGE}: mrt-info has no field '{name}'")


def variables(page):
    known = read("runtime/base/env_defs.h")
    for name in sorted(set(re.findall(r"\bMRT_[A-Z_]+\b", page))):
        if f'"{name}"' not in known and not name.startswith("MRT_ERR"):
            print(f"{PAGE}: there is no variable {name}")


def main():
    page = read(PAGE)
    messages(words_of_page(page))
    fields(page)
    variables(page)


main()
