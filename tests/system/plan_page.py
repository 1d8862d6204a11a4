# SPDX-License-Identifier: Apache-2.0
"""plan_page.py written FILE...: pages of mrt-plan as text: their data agrees with
itself, they load nothing, and their colours have contrast.
plan_page.py told FILE: what plan_page.js has told of pages: each plan leaves what
its collective means, and the driven page shows what a person asks it for.
Prints one line for each fault, and the number of plans that are right."""
import json
import re
import sys


# ---- As written ----------------------------------------------------------------

def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= .04045 else ((p + .055) / 1.055) ** 2.4 for p in parts]
    return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]


def contrast(a, b):
    x, y = sorted((luminance(a), luminance(b)))
    return (y + .05) / (x + .05)


def check_colours(page):
    schemes = [dict(re.findall(r"--([\w-]+): (#\w+);", block))
               for block in re.findall(r":root \{(.*?)\}", page, re.S)]
    assert len(schemes) == 2, "a light and a dark scheme"
    for s in schemes:
        for ink, back, least in (("ink", "page", 7), ("ink", "fill", 4.5),
                                 ("soft", "page", 4.5), ("soft", "panel", 4.5),
                                 ("on-strong", "strong", 4.5), ("strong", "page", 3),
                                 ("new", "page", 3)):
            assert contrast(s[ink], s[back]) >= least, f"contrast of {ink} on {back}"


def check_call(d, call):
    names = [row[1] for row in call["rows"]]
    assert call["choice"] in names, "the choice is none of the rows"
    assert call["rows"] and call["count"] >= 0, "rows"
    for row in call["rows"]:
        assert row[1].split(":")[0] == d["algorithms"][row[0]][0], "names"
        steps = d["plans"][row[2]]["steps"]
        assert len(steps) == call["ranks"], "ranks of a plan"
        assert row[3] > 0 or call["ranks"] == 1, "time"
    return len(names)


def check_plan(d, plan):
    kinds, turns = d["kinds"], []
    for rank, steps in enumerate(plan["steps"]):
        for i, s in enumerate(steps):
            turns.append(s[13])
            assert s[11] <= s[12] <= plan["end"], "times"
            if kinds[s[0]] in ("send", "recv", "recv_reduce"):
                mate = plan["steps"][s[1]][s[2]]
                assert mate[1] == rank and mate[2] == i and mate[3] == s[3], "mates"
    assert sorted(turns) == list(range(len(turns))), "turns"


def check_written(name):
    with open(name, encoding="utf-8") as f:
        page = f.read()
    assert len(page) < 2 << 20, "2 MB"
    assert page.count("<script") == 2 and "<link" not in page, "scripts"
    assert not re.search(r"https?:|//[\w.]+/|\bsrc=|@import|url\((?!#)|\bfetch\(|\bimport\b", page), \
        "names something to load"
    check_colours(page)
    text = page.split('id="data">')[1].split("</script>")[0]
    assert "<" not in text, "data ends early"
    d = json.loads(text)
    plans = sum(check_call(d, call) for call in d["calls"])
    for plan in d["plans"]:
        check_plan(d, plan)
    return plans


# ---- What collectives mean -------------------------------------------------------

def meaning(collective, rank, n, c, root):
    """Returns what rank gets: of each element its number and whose it is; None:
    nothing that it may look at."""
    everyone, elements = list(range(n)), range(c)
    left, right = (rank - 1) % n, (rank + 1) % n

    def blocks(sources, mine):
        return [[mine(r) * c + e, [r]] for r in sources for e in elements]

    if collective in ("bcast", "scatter", "scatterv"):
        mine = rank if collective != "bcast" else 0
        return [[mine * c + e, [root]] for e in elements]
    if collective in ("allreduce", "reduce"):
        return None if collective == "reduce" and rank != root else \
            [[e, everyone] for e in elements]
    if collective in ("reduce_scatter", "reduce_scatter_block"):
        return [[rank * c + e, everyone] for e in elements]
    if collective in ("gather", "gatherv", "allgather", "allgatherv"):
        return None if collective.startswith("gather") and rank != root else \
            blocks(everyone, lambda r: 0)
    if collective in ("alltoall", "alltoallv", "alltoallw"):
        return blocks(everyone, lambda r: rank)
    if collective in ("scan", "exscan"):
        last = rank if collective == "scan" else rank - 1
        return [[e, everyone[:last + 1]] for e in elements] if last >= 0 else None
    if collective == "neighbor_allgather":
        return blocks((left, right), lambda r: 0)
    if collective == "neighbor_alltoall":
        # with two ranks both blocks come from one, first what it has for its left
        return [[e, [left]] for e in range(2 * c)] if n == 2 else \
            [[c + e, [left]] for e in elements] + [[e, [right]] for e in elements]
    assert collective == "barrier", f"{collective} has no meaning here"
    return None


def check_result(told, r):
    for rank, got in enumerate(r["recv"]):
        want = meaning(told["collective"], rank, r["ranks"], r["count"], told["root"])
        assert want is None or got == want, f"rank {rank} has {got}, not {want}"
    assert not r["faults"], r["faults"][0]


# ---- The driven page -------------------------------------------------------------

def check_driven(d):
    at = {act: look["hash"].split("step=")[1] for act, look in d.items()}
    assert d["linked"]["now"].startswith("Round 2 of 6: rank 0 sends piece 3 of ranks 0, 3"), "a link"
    assert d["linked"]["arrows"] == d["linked"]["fresh"] == d["linked"]["all"] == 4, "4 messages"
    assert d["linked"]["cells"][2] == ["0–2", "1,2", "empty", "empty"], "rank 2 after 2 rounds"
    assert d["linked"]["live"] == 1 and not d["linked"]["unnamed"], "names of controls"
    assert d["linked"]["slider"] == "Round 2 of 6", "the slider's words"
    assert d["home"]["now"].startswith("Start") and d["home"]["fresh"] == 0, "Home"
    assert (at["right"], at["again"], at["left"], at["select"]) == ("1", "2", "1", "1"), "arrows"
    assert d["again"]["now"] == d["linked"]["now"], "keys and links agree"
    assert d["end"]["cells"] == [["all"] * 4] * 4 and d["end"]["next"], "End"
    assert d["end"]["now"].endswith("Done.") and at["beyond"] == "6", "beyond the end"
    assert (d["playing"]["play"], d["paused"]["play"]) == ("true", "false"), "P"
    assert at["button"] == "1", "the button Next"
    assert d["algorithm"]["title"] == "allreduce by recursive_doubling", "another algorithm"
    assert d["algorithm"]["now"].endswith("There are 2 rounds."), "its rounds"
    assert len(d["ranks"]["cells"]) == 6 and "ranks=6" in d["ranks"]["hash"], "6 ranks"
    assert d["bytes"]["costs"] != d["ranks"]["costs"], "costs of other bytes"
    assert d["costs"]["title"] == "allreduce by linear", "a button of the costs"


def check_trace(t):
    assert re.match(r"mrt_allreduce 0 of communicator 0 by ring: 3 ranks", t["start"]["title"]), "title"
    # a ring of 3 ranks: 4 messages of each rank
    assert t["start"]["arrows"] == [12, 12], f"messages: {t['start']['arrows']}"
    assert min(t["start"]["bars"]) >= 24 and t["start"]["marks"] == 0, "bars"
    assert t["start"]["ahead"] == t["start"]["bars"][0] == t["first"]["ahead"] + 1, "ahead"
    assert re.match(r"Step 1 of \d+: rank [0-2] [a-z]", t["first"]["now"]), "the first step"
    assert t["end"]["ahead"] == 0 and 1 <= t["end"]["marks"] <= 2, "the end"
    assert re.search(r"It took .*, by the simulation .*: .* (longer|less)\.$", t["longest"]["now"]), "longest"
    assert t["longest"]["marks"] == 2 and t["longest"]["longest"] == 10, "the same step in both"
    assert t["scaled"] == t["longest"], "another scale shows the same"


def check_told(name):
    plans = driven = traced = 0
    with open(name, encoding="utf-8") as f:
        pages = json.load(f)
    for told in pages:
        assert "fault" not in told, told.get("fault")
        if "trace" in told:
            check_trace(told["trace"])
            traced += 1
        if "driven" in told:
            check_driven(told["driven"])
            driven += 1
        for r in told.get("results", []):
            try:
                check_result(told, r)
                plans += 1
            except AssertionError as fault:
                print(f"{told['collective']} {r['algorithm']}, {r['ranks']} ranks: {fault}")
    assert driven, "no page was driven"
    return plans + traced


right = 0
for file in sys.argv[2:]:
    try:
        right += (check_written if sys.argv[1] == "written" else check_told)(file)
    except (AssertionError, KeyError, ValueError, IndexError) as wrong:
        print(f"{file}: {type(wrong).__name__} {wrong}")
print(f"{right} plans are right")
