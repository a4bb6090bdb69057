// The grammar gives each piece of a program its scope, as editors see it; the extension starts what it
// promises, with stand-ins for the editor.
const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

async function extension() {
  const started = {};
  const settings = { command: "/opt/my tools/ti99tools" };
  const commands = {};
  const sent = [];
  const terminal = { name: "TI-99/4A", show() {}, sendText: (text) => sent.push(text) };
  const document = { fileName: "/it's/game.xb", languageId: "xb", save: async () => true };
  const editor = {
    commands: { registerCommand: (name, run) => { commands[name] = run; return {}; } },
    debug: {
      registerDebugAdapterDescriptorFactory: (type, factory) => { started[type] = factory; return {}; },
      registerDebugConfigurationProvider: (type, provider) => { started.provider = provider; return {}; },
    },
    window: {
      activeTextEditor: { document },
      terminals: [],
      createTerminal: () => terminal,
      showInformationMessage: (text) => sent.push(text),
      showErrorMessage: (text) => sent.push(text),
    },
    workspace: { getConfiguration: () => ({ get: (name) => settings[name] }) },
    DebugAdapterExecutable: class { constructor(...words) { this.words = words; } },
  };
  class LanguageClient {
    constructor(id, name, server, client) { Object.assign(started, { server, client }); }
    async start() { started.running = true; }
    async stop() { started.running = false; }
  }
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") return editor;
    if (name === "vscode-languageclient/node") return { LanguageClient };
    return load(name, ...rest);
  };
  const ours = require("./extension.js");
  Module._load = load;
  await ours.activate({ subscriptions: [] });
  const declared = require("./package.json").contributes;
  assert.deepStrictEqual(Object.keys(commands).sort(), declared.commands.map((c) => c.command).sort());
  assert.deepStrictEqual(started.server, { command: "/opt/my tools/ti99tools", args: ["lsp"] });
  assert.strictEqual(started.client.documentSelector[0].language, declared.languages[0].id);
  assert.ok(started.running);
  await commands["ti99tools.run"]();
  assert.strictEqual(sent.pop(), `'/opt/my tools/ti99tools' run '/it'\\''s/game.xb'`);
  const adapter = started[declared.debuggers[0].type].createDebugAdapterDescriptor();
  assert.deepStrictEqual(adapter.words, ["/opt/my tools/ti99tools", ["debug", "--dap"]]);
  const config = started.provider.resolveDebugConfiguration(undefined, {});
  assert.strictEqual(config.program, document.fileName);
  assert.strictEqual(config.basic, undefined);
  settings.basic = "rxb";
  await commands["ti99tools.run"]();
  assert.strictEqual(sent.pop(), `'/opt/my tools/ti99tools' run --basic rxb '/it'\\''s/game.xb'`);
  assert.strictEqual(started.provider.resolveDebugConfiguration(undefined, {}).basic, "rxb");
  const chosen = { type: "ti99tools", basic: "xb29" };
  assert.strictEqual(started.provider.resolveDebugConfiguration(undefined, chosen).basic, "xb29");
  await ours.activate({ subscriptions: [] });
  assert.deepStrictEqual(started.server.args, ["lsp", "--basic", "rxb"]);
  editor.window.activeTextEditor = undefined;
  await commands["ti99tools.play"]();
  assert.strictEqual(sent.pop(), "Open a program first.");
  await ours.deactivate();
  assert.ok(!started.running);
  console.log("extension: server, debugger and commands as they should be");
}

async function main() {
  await extension();
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
    "#art 128 COLOR 7,16",
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
