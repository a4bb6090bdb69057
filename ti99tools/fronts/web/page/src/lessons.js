// The first steps in Extended BASIC: what to do, and how to see that it was done.
//
// A check takes {source, rows, errors, ran}: the text in the editor, the rows on the machine's
// screen, the number of errors that lint finds, and whether that text is the one that ran last. It
// returns true, or a hint, or false when there is no hint to give yet.

const shows = (rows, what) => rows.some((row) => what.test(row));

export const FIRST = "CALL CLEAR\nPRINT \"HELLO\"\n";

export const LESSONS = [
  {
    title: "Run a program",
    text: "In the editor is a program of two statements. Press ▶ Run and look at the machine's screen.",
    check: ({ rows, ran }) => ran && shows(rows, /HELLO/),
  },
  {
    title: "Change it",
    text: "Write your own name instead of HELLO, between the quotation marks. Run it again.",
    check: ({ source, rows, ran }) => {
      const text = /PRINT\s+"([^"]+)"/i.exec(source)?.[1];
      if (!text) return "The statement needs a text in quotation marks: PRINT \"ANNA\".";
      return text !== "HELLO" && ran && rows.some((row) => row.includes(text));
    },
  },
  {
    title: "Ask for something",
    text: "Let it ask: add the rows `INPUT \"NAME? \":N$` and `PRINT \"HELLO \";N$`. Run it, click the screen, type a name and press Enter.",
    check: ({ source, rows, ran }) => {
      if (!/INPUT\b.*N\$/i.test(source)) return false;
      if (!/PRINT\b.*N\$/i.test(source)) return "INPUT is there. Now print N$.";
      return ran && shows(rows, /HELLO \S/);
    },
  },
  {
    title: "Make a mistake",
    text: "Write `PRITN` instead of `PRINT`. What is wrong, and what to do, appears below the editor.",
    check: ({ errors }) => errors > 0,
  },
  {
    title: "Mend it",
    text: "Press the message to go to the row, and mend it. You need no line numbers; the margin shows those that the machine gets.",
    check: ({ errors, source }) => errors === 0 && !/PRITN/i.test(source),
  },
  {
    title: "Repeat",
    text: "A loop does something several times. Add three rows: `FOR I=1 TO 10`, `PRINT I;I*I` and `NEXT I`.",
    check: ({ source, rows, ran }) => {
      if (/\bFOR\b/i.test(source) && !/\bNEXT\b/i.test(source)) return "FOR is there; the loop ends with NEXT I.";
      return /\bFOR\b/i.test(source) && ran && shows(rows, /10\s+100/);
    },
  },
  {
    title: "Use color",
    text: "Add `CALL SCREEN(12)` before the loop: 12 is light yellow. Other numbers from 2 to 16 are other colors.",
    check: ({ source, ran }) => ran && /CALL\s+SCREEN\s*\(/i.test(source),
  },
  {
    title: "Draw",
    text: "Open the tab Draw, choose a new character of 8 × 8 dots, and draw. It becomes `#art` rows. Then show it: `CALL HCHAR(12,10,128,8)`. When a program ends, the machine forgets drawings; the next step lets it wait.",
    check: ({ source, ran }) => {
      if (!/#art\b/i.test(source)) return false;
      if (!/^[. ]*X[X. ]*$/m.test(source)) return "The drawing is there. Set some of its dots.";
      if (!/CALL\s+HCHAR\s*\([^)]*128/i.test(source)) return "The drawing is there. Show character 128 with CALL HCHAR.";
      return ran;
    },
  },
  {
    title: "Wait for a key",
    text: "Let the program end with a key: add `REPEAT`, `CALL KEY(0,K,S)` and `UNTIL S=1` as the last three rows. REPEAT and UNTIL are words of this editor, which makes lines of Extended BASIC of them. Run it and press a key.",
    check: ({ source, ran }) => {
      if (/CALL\s+KEY/i.test(source) && !/\bUNTIL\b/i.test(source)) return "CALL KEY looks once. Put REPEAT before it and UNTIL S=1 after it.";
      return ran && /CALL\s+KEY/i.test(source);
    },
  },
];
