"""SUB and CALL: references, values, statics, errors in them."""

from __future__ import annotations

from tests.interp.programs import console, printed, rows, run


def test_variables_elements_and_arrays_by_reference_values_by_value() -> None:
    listing = """
100 DIM A(3),B(2,2)
110 A(2)=5::B(1,2)=7::C=1::D=1
120 CALL S(A(2),B(1,2),C,(D),A())
130 PRINT A(2);B(1,2);C;D;A(3)
140 END
200 SUB S(P,Q,R,T,V())
210 P=P+1::Q=Q+1::R=R+1::T=T+1::V(3)=V(2)
220 SUBEND
"""
    assert printed(listing) == ["6  8  2  1  6"]


def test_an_element_is_chosen_when_the_call_is_made() -> None:
    listing = """
100 I=1::CALL S(A(I),I)::PRINT A(1);A(2);I
110 END
200 SUB S(X,Y)::Y=2::X=9::SUBEND
"""
    assert printed(listing) == ["9  0  2"]


def test_two_names_for_one_variable() -> None:
    listing = """
100 A=1::CALL S(A,A)::PRINT A
110 END
200 SUB S(X,Y)::X=X+1::Y=Y*10::X=X+Y::SUBEND
"""
    assert printed(listing) == ["40"]


def test_arrays_of_different_sizes() -> None:
    listing = """
100 DIM A(2,3),B(4,1)
110 CALL FILL(A(,),2,3)::CALL FILL(B(,),4,1)
120 PRINT A(2,3);A(1,0);B(4,1);B(3,0)
130 END
200 SUB FILL(X(,),M,N)
210 FOR I=0 TO M::FOR J=0 TO N::X(I,J)=10*I+J::NEXT J::NEXT I
220 SUBEND
"""
    assert printed(listing) == ["23  10  41  30"]


def test_own_variables_stay_from_call_to_call_and_begin_anew_with_run() -> None:
    console = run(
        "100 FOR I=1 TO 3::CALL S(A)::NEXT I\n110 END\n200 SUB S(X)::N=N+1::X=N::SUBEND\n"
    )
    assert console.variables["A"] == 3
    assert console.run() == "ready"
    assert console.variables["A"] == 3


def test_message_names_the_subprograms() -> None:
    listing = """
100 CALL OUTER
110 END
200 SUB OUTER
210 CALL INNER(5)
220 SUBEND
300 SUB INNER(X)
310 PRINT CHR$(-X)
320 SUBEND
"""
    assert printed(listing, "error") == [
        "* BAD VALUE IN 310",
        "IN  INNER",
        "CALLED FROM  OUTER",
        "CALLED FROM  100",
    ]


def test_after_an_error_in_a_sub_its_variables_are_seen() -> None:
    listing = "100 A=3::CALL S\n110 END\n200 SUB S::A=8::X=VAL(A$)::SUBEND\n"
    console = run(listing, "error")
    assert console.variables["A"] == 8
    console.command("PRINT A")
    assert rows(console)[-1] == "8"


def test_a_typed_call_finds_the_subs_that_a_run_has_seen() -> None:
    listing = "100 CALL S\n110 BREAK\n120 SUB S\n130 SUBEND\n"
    computer = console(listing)
    computer.command("CALL S")
    assert "* SUBPROGRAM NOT FOUND" in rows(computer)
    computer.run()
    computer.command("CALL S")
    assert rows(computer)[-1] == "* ONLY LEGAL IN A PROGRAM"


def test_a_typed_call_of_the_sub_that_is_active() -> None:
    computer = console("100 CALL S\n110 SUB S\n120 BREAK\n130 SUBEND\n")
    assert computer.run() == "stopped"
    computer.command("CALL S")
    assert "* RECURSIVE SUBPROGRAM CALL" in rows(computer)


def test_constants_as_parameters_take_an_argument_that_nothing_can_use() -> None:
    listing = "100 CALL S(1,7)\n110 END\n120 SUB S(5,A)\n130 PRINT A\n140 SUBEND\n"
    assert printed(listing) == ["7"]
    assert printed('100 PRINT 1\n110 END\n120 SUB S("A")\n130 SUBEND\n') == ["1"]


def test_the_main_programs_handler_works_with_the_subs_variables() -> None:
    listing = """
100 ON ERROR 200::A=1
110 CALL S
120 PRINT "BACK";A
130 END
200 A=A+5::RETURN NEXT
300 SUB S
310 A=40
320 X=VAL("")
330 PRINT "SUB";A
340 SUBEND
"""
    assert printed(listing) == ["SUB 45", "BACK 1"]


def test_subexit_from_loops_and_subroutines_leaves_nothing_behind() -> None:
    listing = """
100 FOR I=1 TO 3::CALL S(I,R)::PRINT R;::NEXT I::PRINT
110 RETURN
200 SUB S(X,Y)
210 FOR J=1 TO 9::GOSUB 230::NEXT J
220 SUBEND
230 Y=J*X::IF J=X THEN SUBEXIT
240 RETURN
"""
    lines = printed(listing.replace("220 SUBEND\n230", "230") + "250 SUBEND\n", "error")
    assert lines == ["1  4  9", "* RETURN WITHOUT GOSUB", "IN 110"]


def test_an_element_cannot_be_a_parameter() -> None:
    listing = "100 PRINT 1\n110 END\n120 SUB S(X,A(1))\n130 SUBEND\n"
    assert printed(listing, "error") == ["* BAD ARGUMENT IN 120"]


def test_a_subprograms_name_has_15_characters_at_most() -> None:
    listing = "100 PRINT 1\n110 CALL {0}\n120 END\n130 SUB {0}\n140 PRINT 2\n150 SUBEND\n"
    assert printed(listing.format("ABCDEFGHIJKLMNO")) == ["1", "2"]
    assert printed(listing.format("ABCDEFGHIJKLMNOP"), "error") == ["* NAME TOO LONG IN 110"]
