"""The table of slips: for each, what to do about it and an example. The first that fits counts.

The manual's list of advice is made from this table, and a test goes over all examples.
"""

from __future__ import annotations

from ti99tools.language.findings import EditKind
from ti99tools.language.remedies import misread_words, worked_out
from ti99tools.language.remedies.patterns import Slip, Table
from ti99tools.language.remedies.worked_out import COMMENT, TWICE, next_of

_ASK = 'write INPUT "NAME? ":A$'
_TAKEN = "{0} is a word of Extended BASIC: choose another name"
_TAKEN_NEXT = _TAKEN.replace("0", "1")
_TAKES = "write what {1} takes in ( ) after it"
_NO_THEN = "THEN is missing after the condition"
_SHOW_AT = "write DISPLAY AT(row,column):"
_PLACE = "write {0} AT(row,column):"
_ON_ERROR = "write ON ERROR and a line, or ON ERROR STOP"
MISSING = "write a statement or a line number there"
_AND = "write AND instead of &&"
_GO_TO = "name the line to go to"
_NO_LABEL = "name a line or a label there: {stop} is a word of Extended BASIC"
_SEPARATE = "separate statements with ::"
_BETWEEN_PRINTED = "put ; or , between what is printed"
_AFTER_PROMPT = "write : after the text that asks"
_NO_DOLLAR = "names of texts end in $: {0}$"
_AGAIN = "write the variable again: A=A"
_CHANGED = ("{1}=", "={1}")

SLIPS = Table(
    Slip("any", "", misread_words.swallowed, "FORI=1TO10"),
    Slip("name", "", misread_words.misnumbered, "OO PRINT 1"),
    # Habits of other languages.
    Slip("", "/ /", COMMENT, "A=1 // COUNT"),
    Slip("#|;|/|*|-", "", COMMENT, "; COUNT"),
    Slip("PRINT|DISPLAY", "… text ▸ PRINT|DISPLAY|INPUT text", _SEPARATE, 'PRINT "A" PRINT "B"'),
    Slip("PRINT|DISPLAY", "… text inner name|number* text", f"{_BETWEEN_PRINTED}; {TWICE}",
         'PRINT "SAY "YES"!"'),
    Slip("", "text inner name|number* text", TWICE, 'INPUT "YOUR "AGE"? ":A'),
    Slip("INPUT", "AT", "write ACCEPT AT(row,column):name", "INPUT AT(1,1):A"),
    Slip("", "= INPUT AT", "write ACCEPT AT(row,column):name", "A=INPUT AT(1,1)"),
    Slip("INPUT", "(", _ASK, 'INPUT("NAME")'),
    Slip("", "= INPUT (", _ASK, 'A$=INPUT("NAME")'),
    Slip("INPUT", "name:PROMPT any", _ASK, 'INPUT PROMPT "NAME":A$'),
    Slip("", "= INPUT name:PROMPT any", _ASK, 'A$=INPUT PROMPT "NAME"'),
    Slip("OPEN", "~#", 'write OPEN #1:"DSK1.NAME",INPUT', 'OPEN "X" FOR INPUT AS #1'),
    Slip("BEEP", "…~= .", misread_words.stated, "BEEP"),
    Slip("name", "", worked_out.own_sub, "FOO 3"),
    Slip("NEXT", ".", next_of("I"), "NEXT"),
    Slip("NEXT", "number:0", "a letter was read for a digit: write NEXT O", "NEXT 0"),
    Slip("NEXT", "number:1", "a letter was read for a digit: write NEXT I or NEXT L", "NEXT 1"),
    Slip("FOR", "number:1", "a letter was read for a digit: write FOR I or FOR L", "FOR 1=1 TO 9"),
    Slip("", "number|line name", misread_words.more_digits, "CALL HCHAR(1O,5,42)"),
    # Words of Extended BASIC as names, and functions without parentheses.
    Slip("ACCEPT|DISPLAY", "… SIZE|VALIDATE name|number",
         "write ( ) around what {1} takes: {1}({2})", "ACCEPT AT(1,1)SIZE 5:A$"),
    Slip("", "function name|number", "write ( ) around what {0} takes: {0}({1})", "PRINT TAB 5;1"),
    Slip("word", "… =", _TAKEN, "MAX=0"),
    Slip("setting", "word", _TAKEN_NEXT, "FOR POS=1 TO 5"),
    Slip("joining", "", _TAKEN, "OR 1"),
    Slip("name|PRINT|DISPLAY|IF", "… unary shown|.", _TAKES, "PRINT SQR"),
    Slip("LET", "any … unary shown|.", _TAKES.replace("1", "2"), "LET A=SQR"),
    Slip("", "function ~(|.", _TAKEN, "IF LEN>5 THEN 100"),
    Slip("", "~ended joining", _TAKEN_NEXT, "PRINT OR;1"),
    Slip("~ACCEPT", "type", _TAKEN, "PRINT DIGIT"),
    # Operators and signs of other languages.
    Slip("", ": =", "write = instead of :=", "A:=1", (":=", "=")),
    Slip("name", "sign =", "write {0}={0}{1}…", "A+=1", _CHANGED, EditKind.AGAIN),
    Slip("name", "…~= sign =", _AGAIN + "{1}1", "A(1)-=1", _CHANGED, EditKind.AGAIN),
    Slip("", "= =", "write = once: it compares too", "A==5", ("==", "=")),
    Slip("", "& &", _AND, "PRINT A$&&B$", ("&&", " AND ")),
    Slip("", "* *", "write ^ instead of **", "A=B**2", ("**", "^")),
    Slip("", "name #", "leave out #: all numbers are of one kind", "A#=5"),
    Slip("", "number:0 name", worked_out.hexadecimal, "A=0XFF"),
    Slip("CALL", "number:CHAR … number name", 'write " around the pattern', "CALL CHAR(96,3CFF)"),
    Slip("", "RND|PI (", "{0} takes no ( ): write {0} alone", "A=RND(6)"),
    Slip("", "~ended & name", worked_out.based, "A=&HFF"),
    Slip("name", "+ + ELSE|.", "write {0}={0}+1", "A++", ("++", "=+"), EditKind.AGAIN),
    Slip("name", "- - ELSE|.", "write {0}={0}-1", "A--", ("--", "=-"), EditKind.AGAIN),
    Slip("name", "…~= ) + + ELSE|.", f"{_AGAIN}+1", "A(1)++", ("++", "=+"), EditKind.AGAIN),
    Slip("name", "…~= ) - - ELSE|.", f"{_AGAIN}-1", "A(1)--", ("--", "=-"), EditKind.AGAIN),
    Slip("", "name", worked_out.operator, "PRINT 7 MOD 3"),
    # Statements that begin with a name and are not assignments.
    Slip("name", "…~= .", misread_words.stated, "CLS"),
    Slip("name", "! .", "! begins a comment: leave it out, all numbers are of one kind", "A!"),
    Slip("name", "…~= .", misread_words.unnumbered, "REPEAT"),
    Slip("name", "…~= .", misread_words.glued, "GOTO100"),
    Slip("name", "…~= .", misread_words.misspelt, "PRIMT 1"),
    Slip("name", "…~= .", misread_words.uncalled, "BAR(3)"),
    Slip("name", "…~= .", "{0} begins no statement: CALL a subprogram, or set a variable with =",
         "FLUSH 1"),
    Slip("CALL", "", worked_out.between_values, "CALL HCHAR(1;1,65,32)"),
    Slip("any", "", worked_out.parentheses, "CALL HCHAR(1,1,65,32"),
    Slip("", "name (", worked_out.dimensions, "DIM A(1,1,1,1,1,1,1,1)"),
    Slip("", "name", misread_words.numbers_run_in, "PRINT 1 GOTO100"),
    Slip("CALL", "any … ,|( clause", _TAKEN_NEXT.replace("1", "3"), "CALL KEY(0,SIZE,S)"),
    Slip("", "number", misread_words.two_points, "A=1.2.5"),
    # What is missing.
    Slip("", "unequal", "! begins a comment: not equal is <>", "IF A!=1 THEN 100", ("!=", "<>")),
    Slip("IF", "…~THEN ▸ GOTO …~THEN .", _NO_THEN, "IF A=1 GOTO 100", ("GOTO", "THEN")),
    Slip("IF", "…~THEN ▸ keyword …~THEN .", _NO_THEN, "IF A=1 PRINT 1", ("{1}", "THEN {1}")),
    Slip("IF", "…~THEN .", _NO_THEN, "IF A=1"),
    Slip("", "THEN|ELSE .", MISSING, "THEN"),
    Slip("text", "…~: .", worked_out.unprinted, '"HELLO"'),
    Slip(":|text", "", "put spaces between the colons of PRINT, as in : : (:: ends a statement)",
         ":A"),
    Slip("=", "", "write the variable before =", "=5"),
    Slip("", "wanting .", "a value is missing after {0}", "A=5+"),
    Slip("", "wanting ▸ THEN", "a value is missing after {0}", "IF A=1 AND THEN 100"),
    Slip("OPEN", "… , ▸ READ", "write INPUT to read a file", 'OPEN #1:"DSK1.X",READ'),
    Slip("FOR", "… TO .", "a value is missing after {1}", "FOR I=1 TO"),
    Slip("GO", "~TO|SUB", "write GO TO or GO SUB, and the line", "GO 100"),
    Slip("", "GO TO|SUB .", _GO_TO, "GO TO"),
    Slip("", "GOTO|GOSUB .", _GO_TO, "GOTO"),
    Slip("LET|FOR", "…~= .", "write = between the variable and its value", "LET A 5"),
    Slip("SIZE", "", "SIZE is for the prompt: leave it out", "SIZE"),
    Slip("CLOSE", ".", "name the file: CLOSE #1", "CLOSE"),
    Slip("CLOSE", "▸ number|name", "write CLOSE #{1}", "CLOSE 1"),
    Slip("DIM", "", worked_out.undimensioned, "DIM A(10),B"),
    Slip("ON", "BREAK", "write ON BREAK NEXT, which goes on at FCTN-4, or ON BREAK STOP",
         "ON BREAK GOTO 100"),
    Slip("ON", "WARNING", "write ON WARNING PRINT, ON WARNING STOP or ON WARNING NEXT",
         "ON WARNING GOTO 100"),
    Slip("ON", "ERROR .", _ON_ERROR, "ON ERROR"),
    Slip("ON", "… jump … , .", "a line number is missing after the last ,", "ON A GOTO 100,"),
    Slip("ON", "…~jump .", "write GOTO or GOSUB after the value", "ON A 100"),
    Slip("DEF", "name", worked_out.procedure, "DEF PROCHELLO"),
    Slip("CALL|SUB", "any ( )", "leave out ( ): there is nothing in it", "CALL CLEAR()"),
    # What cannot stand where the console stops.
    Slip("ON", "ERROR … ▸ GO|GOTO|GOSUB", "name the line alone, without GOTO", "ON ERROR GOTO 100"),
    Slip("ON", "ERROR … ▸", _ON_ERROR, "ON ERROR NEXT"),
    Slip("any", "▸ =", _TAKEN, "END=4"),
    Slip("setting", "▸ beginning", _TAKEN_NEXT, "LET END=5"),
    Slip("DIM", "… ▸ *", "leave out * and the length: every text may have 255 characters",
         "DIM A$(5)*10"),
    Slip("TRACE", "… ▸ ON", "leave out ON", "TRACE ON"),
    Slip("OPTION", "… ▸", "leave it out: OPTION takes BASE 0 and BASE 1 only", "OPTION EXPLICIT"),
    Slip("GOTO|GOSUB|GO", "… ▸ name",
         "a line number is required: sources without line numbers have labels", "GOTO AGAIN"),
    Slip("GOTO|GOSUB|GO", "… ▸ beginning", _NO_LABEL, "GOTO NEXT"),
    Slip("RETURN", "▸ beginning .", _NO_LABEL, "RETURN STOP"),
    Slip("ON", "… , ▸ beginning", _NO_LABEL, "ON K GOTO 100,STOP"),
    Slip("GOTO|GOSUB|GO", "… ▸ (",
         "leave out ( ): GOSUB gives no values; a SUB is called with CALL", "GOSUB (100)"),
    Slip("DIM", "… ▸ name", "DIM takes a number, not the variable {1}", "DIM A(N)"),
    Slip("DISPLAY|ACCEPT", "▸ (", _PLACE, "ACCEPT(5,5):A"),
    Slip("DISPLAY|ACCEPT", "( … ▸", _PLACE, 'DISPLAY (5,5):"HELLO"'),
    Slip("DISPLAY|ACCEPT", "… ▸ AT", _PLACE, "DISPLAY 5 AT(1,1):A"),
    Slip("DISPLAY|ACCEPT", "AT ( …~) ▸ ;", "write , instead of ;", "DISPLAY AT(1;2):A", (";", ",")),
    Slip("DISPLAY|ACCEPT", "AT ( number ▸ )", "write the column after a ,", "ACCEPT AT(24.1):A"),
    Slip("DISPLAY|ACCEPT", "AT ▸", _PLACE, "DISPLAY AT 5,5:A"),
    Slip("PRINT", "… ▸ AT", _SHOW_AT, "PRINT AT(5,5)"),
    Slip("", "joining ▸ compared", "write what is compared on both sides: X>5 AND X<10",
         "IF X>5 AND <10 THEN 100"),
    Slip("", "▸ name:DO", "leave out DO", "PRINT 1 DO", elsewhere="DO"),
    Slip("", "▸ ; .", "leave out the ; at the end", "A=5;", elsewhere=";"),
    Slip("", "▸ ;", worked_out.between_values, "PRINT A(1;2)", (";", ",")),
    Slip("ACCEPT", "… : ▸ text", "ACCEPT shows no text: show it with DISPLAY AT before",
         'ACCEPT AT(1,1):"NAME"'),
    Slip("DISPLAY|ACCEPT", "… ▸ name", misread_words.two_options, "ACCEPT AT(1,1)BEEPSIZE(1):A$"),
    Slip("DISPLAY|ACCEPT", "…~: ▸ value", "a : is missing before it", 'DISPLAY AT(1,1) "HI"'),
    Slip("PRINT|INPUT|LINPUT|OPEN", "# …~: ▸ ~:", "write : after the number of the file",
         "PRINT #1,A"),
    Slip("NEXT", "any … ▸ ,", worked_out.loops, "NEXT J,I"),
    Slip("ON", "… ▸ line", "put , between the line numbers", "ON K GOTO 100 100"),
    Slip("READ|INPUT", "▸ ;", "put , between the variables", "READ ;B"),
    Slip("READ|INPUT", "… ~text ▸ ;", "put , between the variables", "READ A;B"),
    Slip("ACCEPT", "… : … ▸ ,", "ACCEPT takes one variable: write another ACCEPT for the next",
         "ACCEPT AT(5,5):A,B"),
    Slip("DISPLAY", "… ▸ USING", "write USING right after the first :",
         'DISPLAY AT(5,5):"A",USING "##":5'),
    Slip("CALL|SUB", "any ▸ value", "write ( ) around the arguments", "CALL TEST X"),
    Slip("PRINT|DISPLAY|ACCEPT", "…~: AT|USING …~: ▸ ,|;", "write : instead of {stop}",
         'PRINT USING "##";A'),
    Slip("DEF", "… ▸ ,", "DEF takes one parameter", "DEF F(X,Y)=X+Y"),
    Slip("PRINT|DISPLAY", "… USING … ; ▸ value", "put , between the values of USING",
         'PRINT USING "##":1;2', (";", ","), EditKind.PART),
    Slip("PRINT|DISPLAY", "… ▸ value", _BETWEEN_PRINTED, 'PRINT "A" "B"'),
    Slip("INPUT|LINPUT", "name … ▸ text", 'the text that asks comes first: INPUT "{2}":{1}',
         'INPUT X$,"NAME"'),
    Slip("INPUT|LINPUT", "▸ text name|,|;", _AFTER_PROMPT, 'INPUT "NAME";N$'),
    Slip("INPUT|LINPUT", "text ▸ name|,|;", _AFTER_PROMPT, 'INPUT "NAME" A:B'),
    # What cannot stand there in statements of any kind.
    Slip("", "▸ name", misread_words.near_word, "X=5 THENN"),
    Slip("", "▸ name", misread_words.with_digits, "FOR I=1 T0 9"),
    Slip("", "▸ name", misread_words.begun, "IF A>3 ORA<1 THEN END"),
    Slip("", "▸ :", worked_out.part_of_text, "A$=B$(1:2)"),
    Slip("name|IF", "… number ▸ , number", worked_out.thousands, "A=1,000"),
    Slip("name|CALL", "… ▸ , .", "leave out the , at the end", "A=5,"),
    Slip("name", "… ▸ ,", _SEPARATE, "A=1,B=2", (",", "::"), EditKind.PART),
    Slip("", "▸ : :", "write :: without a space between", "A=1: :B=2", (": :", "::")),
    Slip("number", "beginning", worked_out.second_number, "20 PRINT A"),
    Slip("", "number ▸ name ( … ) =", _SEPARATE, "A=1 B(3)=4"),
    Slip("", "number ▸ name ~=|.", misread_words.multiplied, "A=2B"),
    Slip("", "▸ name|:|beginning", _SEPARATE, "X=1:PRINT X", (":", "::"), EditKind.PART),
    Slip("", "▸ )|,", worked_out.values_of_function, "A$=SEG$(B$,1)"),
    Slip("", "name ( ▸ )", worked_out.function, "A$=INKEY$()"),
    Slip("~OPEN", "wanting|, ▸ clause", _TAKEN_NEXT, "A=SIZE+1"),
    Slip("PRINT|IF", "▸ clause", _TAKEN_NEXT, "PRINT SIZE"),
    Slip("", "▸ )", "a value is missing", "PRINT (A+)"),
    Slip("", "▸ any", "{stop} cannot stand here", "A=5 6"),
)  # fmt: skip
"""Slips that are a SYNTAX ERROR."""

_JOINED = "texts are joined with &, not with +"
_BEFORE_JOINING = "texts are compared before & joins them: write ( ) around A$&B$"
_JOINED_NUMBER = "texts are joined with &, and a number is one as STR$({0})"
MISMATCHES = Table(
    Slip("", "& &", _AND, "IF A=1&&B=2 THEN 100", ("&&", " AND ")),
    Slip("", "name (", worked_out.function, 'PRINT "A"=CHR(65)'),
    Slip("", "name$", worked_out.function, "A$=INKEY$+1"),
    Slip("PRINT|DISPLAY", "… text + numeral", "write ; between what is shown: {1};{3}",
         'PRINT "SCORE "+A'),
    Slip("", "text + numeral", _JOINED_NUMBER.replace("0", "2"), 'A$="SCORE "+B'),
    Slip("", "string +", _JOINED, 'A$="A"+B$', ("+", "&"), EditKind.JOIN),
    Slip("", "+ string", _JOINED, 'A$=5+"A"', ("+", "&"), EditKind.JOIN),
    Slip("", "numeral &", "& joins texts: write STR$({0})", 'A$=5&"A"'),
    Slip("", "& numeral", "& joins texts: write STR$({1})", 'A$="A"&5'),
    Slip("", "name$ compared numeric", 'a text stands in quotes: "{2}"; a variable for one is {2}$',
         "A$=YES"),
    Slip("", "name$ compared to-number", "write STR$( ) around the number: {2} gives one",
         'A$=LEN("X")'),
    Slip("", "numeric compared to-text", _NO_DOLLAR, "A=CHR$(65)"),
    Slip("", "name$ compared number",
         'a text stands in quotes: "{2}"; of a number STR$(number) makes one', "A$=5"),
    Slip("", "numeric compared text", _NO_DOLLAR, 'A="X"'),
    Slip("", "name$ compared text joining text",
         'each side of {3} is a comparison: write {3} {0}{1}"{4}"', 'IF A$="Y" OR "y" THEN 100'),
    Slip("IF", "… & string compared", _BEFORE_JOINING, 'IF A$&B$="AB" THEN 100'),
    Slip("IF", "… compared string &", _BEFORE_JOINING, 'IF "AB"=A$&B$ THEN 100'),
    Slip("", "of-text any numeral", "{0} takes a text", "A=LEN(5)"),
    Slip("", "of-number any string", "{0} takes a number", "A$=STR$(B$)"),
    Slip("", "VALIDATE any name", 'write " around the letters: VALIDATE("{2}")',
         "ACCEPT AT(1,1)VALIDATE(YN):A$"),
    Slip("", "any", "texts and numbers do not mix: names of texts end in $", 'A=1*"X"'),
)  # fmt: skip
"""Slips that are a STRING-NUMBER MISMATCH."""
