"""Coverage as an lcov tracefile, which genhtml, editors and coverage services read.

`DA` has the count of a line's statement that ran most often; `BRDA` the two ways of each IF of a
line, branch 0 when its condition held and 1 when not, `-` for an IF that never ran.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ti99tools.coverage.counted import At, Count, Coverage


def tracefile(coverage: Coverage, test: str = "") -> str:
    """The text of the tracefile; `test` names the run (letters, digits, `_`)."""
    lines: list[str] = []
    for name in sorted(coverage.files):
        lines += [f"TN:{test}", f"SF:{name}", *_records(coverage.files[name]), "end_of_record"]
    return "".join(line + "\n" for line in lines)


def _records(counts: Mapping[At, Count]) -> Iterator[str]:
    lines: dict[int, list[Count]] = {}
    for (line, _), count in sorted(counts.items()):
        lines.setdefault(line, []).append(count)
    ways = [taken for count in counts.values() for taken in count.ways.values()]
    for line, some in lines.items():
        for block, count in enumerate(count for count in some if count.ways):
            for branch, taken in enumerate(count.ways.values()):
                yield f"BRDA:{line},{block},{branch},{taken if count.ran else '-'}"
    if ways:
        yield f"BRF:{len(ways)}"
        yield f"BRH:{sum(map(bool, ways))}"
    for line, some in lines.items():
        yield f"DA:{line},{max(count.ran for count in some)}"
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(any(count.ran for count in some) for some in lines.values())}"
