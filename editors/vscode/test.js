// The grammar gives each piece of a program its scope, as editors see it.
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

async function main() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(
      fs.readFileSync(path.join(__dirname, "syntaxes", "xb.tmLanguage.json"), "utf8"), "xb.json"),
  });
  const grammar = await registry.loadGrammar("source.xb");

  function scopes(rows) {
    let state = textmate.INITIAL;
    return rows.map((row) => {
      const found = grammar.tokenizeLine(row, state);
      state = found.ruleStack;
      return found.tokens.map((token) => [
        row.slice(token.startIndex, token.endIndex).trim(), token.scopes[token.scopes.length - 1]]);
    });
  }

  function has(row, text, scope) {
    const found = row.find((token) => token[0] === text);
    assert.ok(found, `no token ${text} in ${JSON.stringify(row)}`);
    assert.ok(found[1].startsWith(scope), `${text} is ${found[1]}, not ${scope}`);
  }

  const [label, call, quoted, select, art, dots, end, data, numbered, glued] = scopes([
    "again: A=A+1 ! count",
    "CALL SPRITE(#1,65,2,10,10) :: CALL MINE(A)",
    'PRINT "SAY ""HI""";SEG$(A$,1,2) AND 5',
    "SELECT CASE SCORE",
    "#art 128",
    "X..X.X..",
    "#end",
    "DATA ONE,2",
    "100 IF A>5 THEN 200 ELSE GOTO 300",
    "FORMAT=1",
  ]);
  has(label, "again", "entity.name.label");
  has(label, "! count", "comment");
  has(call, "SPRITE", "support.function");
  has(call, "MINE", "support.function");
  has(quoted, '"SAY ""HI"""', "string.quoted");
  has(quoted, "SEG$", "support.function.builtin");
  has(quoted, "AND", "keyword.operator");
  has(select, "SELECT", "keyword.control.dialect");
  has(select, "SCORE", "variable");
  has(art, "#art", "keyword.control.directive");
  has(dots, "X", "markup.bold");
  has(end, "#end", "keyword.control.directive");
  has(data, "ONE,2", "string.unquoted");
  has(numbered, "100", "constant.numeric.line");
  has(numbered, "THEN", "keyword.control");
  has(glued, "FORMAT", "variable");
  console.log("grammar: 16 pieces as they should be");
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
