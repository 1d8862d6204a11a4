# SPDX-License-Identifier: Apache-2.0
"""mrt_plan.py FILE...: what mrt-plan writes as JSON, against its own rules:
steps come after earlier ones, sends have their receives, totals are the sums.
Prints one line for each fault."""
import collections
import json
import sys


def check(d):
    sends, recvs = collections.Counter(), collections.Counter()
    moved = onesided = 0
    assert [p["rank"] for p in d["plans"]] == list(range(d["ranks"])), "ranks"
    for plan in d["plans"]:
        for k, step in enumerate(plan["steps"], 1):
            kind, bytes_ = step["kind"], step["count"] * d["type_size"]
            assert step["step"] == k, "numbers"
            for a in step["after"]:
                assert 1 <= a < k, "after"
                assert plan["steps"][a - 1]["end"] <= step["begin"], "times"
            assert 0 <= step["begin"] <= step["end"] <= d["totals"]["end"], "end"
            if kind == "send":
                sends[plan["rank"], step["peer"], step["tag"], bytes_] += 1
                moved += bytes_
            elif kind in ("recv", "recv_reduce"):
                recvs[step["peer"], plan["rank"], step["tag"], bytes_] += 1
            else:
                onesided += "peer" in step
            for place in ("src", "with", "dst"):
                if step.get(place, {}).get("buffer", "").startswith("tmp"):
                    tmp = plan["temporaries"][int(step[place]["buffer"][3:])]
                    assert step[place]["at"] + step["count"] <= tmp, "bounds"
    assert sends == recvs, "messages"
    t = d["totals"]
    assert sum(sends.values()) == t["messages"] and moved == t["bytes"], "sums"
    assert onesided == t["onesided"] and t["rounds"] <= t["end"], "totals"
    assert d["cost"]["formula"], "formula"


for name in sys.argv[1:]:
    try:
        with open(name) as f:
            check(json.load(f))
    except (AssertionError, KeyError, ValueError) as fault:
        print(f"{name}: {type(fault).__name__} {fault}")
