"""Pass `sharing`: which variables may have one name, and which may not."""

import pytest

from ti99tools.language.listing.listing import list_lines
from ti99tools.language.optimize import optimize, renamings
from ti99tools.language.program.program import Program

Lines = list[tuple[int, bytes]]


def lines_of(listing: str) -> Lines:
    return [(line.number, line.tokens) for line in Program.from_listing(listing).lines]


def shared(listing: str) -> set[str]:
    """The variables that share a name, joined: `A=B`."""
    groups: dict[str, list[str]] = {}
    for old, new in renamings(lines_of(listing), ["sharing"])[""].items():
        groups.setdefault(new, []).append(old)
    return {"=".join(sorted(group)) for group in groups.values()}


def test_a_variable_takes_the_name_of_one_that_is_not_used_any_more() -> None:
    listing = '100 A=1 :: PRINT A :: B=2 :: PRINT B\n110 A$="X" :: PRINT A$ :: B$=A$ :: PRINT B$\n'
    assert shared(listing) == {"A=B", "A$=B$"}
    faster = optimize(lines_of(listing), ["sharing"])
    assert next(iter(list_lines(faster.lines))) == "100 A=1 :: PRINT A :: A=2 :: PRINT A"
    assert faster.applied == ("sharing",)


@pytest.mark.parametrize(
    "listing",
    [
        # One is written while the other has its value still to give.
        "100 A=1 :: B=2 :: PRINT A;B\n",
        # B is read before it gets a value: it is 0 from the beginning.
        "100 A=1 :: PRINT A :: PRINT B\n",
        "100 A=1 :: PRINT A :: IF A THEN B=2\n110 PRINT B\n",
        # In the second round A has its value still.
        "100 A=1\n110 PRINT A :: B=2 :: PRINT B :: GOTO 110\n",
        "100 A=1 :: FOR I=1 TO 2 :: PRINT A :: B=2 :: PRINT B :: NEXT I\n",
        # The subroutine is called while A is alive.
        "100 A=1 :: GOSUB 120 :: PRINT A\n110 END\n120 B=2 :: PRINT B :: RETURN\n",
        "100 A=1 :: ON 1 GOSUB 120 :: PRINT A\n110 END\n120 B=2 :: PRINT B :: RETURN\n",
        # Loops: FOR takes an older loop of its variable off the stack.
        "100 FOR A=1 TO 2 :: NEXT A :: FOR B=1 TO 2 :: NEXT B\n",
        # All that a statement has to do with, it has to do with at once.
        "100 CALL KEY(3,A,B)\n",
        "100 READ A,B\n110 DATA 1,2\n",
        "100 B=1 :: INPUT A :: PRINT B\n",
        "100 A,B=1 :: PRINT A :: PRINT B\n",
        # A SUB with the name of a built-in subprogram need not give values.
        "100 B=1 :: PRINT B :: CALL GCHAR(1,1,A):: PRINT A\n200 SUB GCHAR(X,Y,Z):: SUBEND\n",
        # A name of a DEF.
        "100 DEF F(A)=A+B\n110 B=1 :: PRINT F(1)\n",
        # Arrays, and text with numbers.
        '100 A(1)=1 :: PRINT A(1) :: B$="X" :: PRINT B$ :: C=1 :: PRINT C\n',
        # The handler reads what was written before the error, and goes on anywhere.
        "100 ON ERROR 120\n110 A=1 :: B=2 :: PRINT B :: END\n120 PRINT A\n",
        "100 ON ERROR 130\n110 A=1 :: B=2 :: PRINT B :: END\n120 PRINT A :: END\n130 RETURN 120\n",
        "100 ON ERROR 120\n110 A=1 :: B=2 :: PRINT B :: PRINT A :: END\n120 RETURN NEXT\n",
        '100 ON ERROR 130\n110 A=1\n120 A=VAL("X") :: B=2 :: PRINT B :: END\n'
        "130 GOSUB 140 :: RETURN\n140 PRINT A :: RETURN NEXT\n",
        # RUN begins at a line that nothing else leads to.
        "100 RUN 120\n110 END\n120 B=5 :: FOR I=1 TO 2 :: PRINT B :: C=9 :: PRINT C :: NEXT I\n",
        # NEXT looks for a loop of its variable.
        "100 FOR I=1 TO 3 :: PRINT I :: GOTO 110\n110 A=1 :: NEXT A\n",
        # The loop's NEXT stands where control never comes; the loop is skipped to what follows it.
        "100 A=1 :: C=2 :: PRINT C :: FOR I=1 TO 0 :: GOTO 130 :: NEXT I\n"
        "110 PRINT A\n120 END\n130 END\n",
    ],
)
def test_others_keep_their_own(listing: str) -> None:
    assert shared(listing) == set(), listing


RESUMED = "100 A=1 :: B=2 :: PRINT B :: ON ERROR 150\n110 {}\n120 PRINT A\n{}150 RETURN NEXT\n"
"""A is read where RETURN NEXT goes on after line 110 has failed, and nowhere else."""


@pytest.mark.parametrize(
    "fails",
    [
        "ON 5 GOTO 130,130",
        "GOTO 999",
        'IF VAL("X")THEN 130 ELSE 130',
        'RUN "DSK1.NONE"',
        "RUN 999",
        "RETURN",
    ],
)
def test_return_next_goes_on_after_what_goes_elsewhere(fails: str) -> None:
    assert shared(RESUMED.format(fails, "130 END\n")) == set()
    assert shared(RESUMED.format("END", "130 END\n")) == {"A=B"}


def test_return_next_goes_on_in_the_other_branch_of_an_if() -> None:
    listing = (
        "100 IF RND THEN A=1 :: B=2 :: PRINT B :: ON ERROR 120 :: CALL SCREEN(99)"
        "ELSE A=3 :: PRINT A\n"
        "110 END\n120 RETURN NEXT\n"
    )
    assert shared(listing) == set()
    assert shared(listing.replace("ON ERROR 120", "PRINT")) == {"A=B"}


def test_a_handler_in_a_sub_stays_armed_after_it() -> None:
    listing = '100 CALL S :: A=1 :: B=2 :: PRINT B\n110 A=VAL("X")\n120 PRINT A\n200 SUB S\n'
    assert shared(listing + "210 ON ERROR 230\n220 SUBEXIT\n230 RETURN NEXT\n240 SUBEND\n") == set()
    assert shared(listing + "210 ON ERROR STOP\n240 SUBEND\n") == {"A=B"}


def test_a_subroutine_comes_back_to_its_own_gosub() -> None:
    listing = (
        "100 GOSUB 120 :: A=1 :: GOSUB 120 :: PRINT A\n105 B=2 :: GOSUB 120 :: PRINT B\n"
        "110 END\n120 CALL CLEAR :: RETURN\n"
    )
    assert shared(listing) == {"A=B"}


def test_next_goes_round_the_loop_that_is_on_the_stack() -> None:
    listing = (
        "100 A=1 :: FOR I=1 TO 2 :: PRINT A :: NEXT I\n"
        "110 FOR I=1 TO 2 :: B=I :: PRINT B :: NEXT I\n"
    )
    assert shared(listing) == {"A=B"}


def test_a_handler_for_files_alone_is_told_by_its_first_statements() -> None:
    listing = (
        "100 ON ERROR 150\n110 A=1 :: PRINT A\n120 B=2 :: C=SQR(B) :: PRINT C\n130 END\n"
        "150 CALL ERR(E,F):: IF E<>{} THEN RETURN\n160 PRINT A :: RETURN 130\n"
    )
    assert shared(listing.format(130)) == {"A=B=C"}
    assert "A" not in str(shared(listing.format(43)))
    assert "A" not in str(shared("90 DEF W(X)=EOF(X)\n" + listing.format(130)))
    assert "A=B=C" in shared("90 DEF W(X)=SQR(X)\n" + listing.format(130))


def test_programs_whose_flow_is_not_known_stay() -> None:
    one = "100 A=1 :: PRINT A :: B=2 :: PRINT B\n"
    assert shared(one) == {"A=B"}
    for more in (
        "110 GOTO 130\n120 SUB S\n130 SUBEND\n",
        "110 !@P-\n",
        "110 CALL LOAD(-31806,16)\n",
    ):
        assert shared(one + more) == set(), more


def test_names_of_subs_stay_where_a_handler_may_meet_them() -> None:
    listing = "100 A=1 :: PRINT A :: B=2 :: PRINT B :: CALL S\n{}110 SUB S :: B=1 :: SUBEND\n"
    assert shared(listing.format("")) == {"A=B"}
    assert shared(listing.format("105 ON ERROR 100\n")) == set()


def test_names_go_on_to_the_short_ones() -> None:
    listing = "100 FIRST=1 :: PRINT FIRST :: SECOND=2 :: PRINT SECOND\n"
    assert renamings(lines_of(listing)) == {"": {"FIRST": "A", "SECOND": "A"}}
