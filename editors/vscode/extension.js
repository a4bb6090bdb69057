// Starts the language server and the debugger of ti99tools, and runs programs in a terminal.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function command() {
  return vscode.workspace.getConfiguration("ti99tools").get("command") || "ti99tools";
}

// The later Extended BASIC that all programs are for; empty where each program's own counts.
function basic() {
  return vscode.workspace.getConfiguration("ti99tools").get("basic") || "";
}

function profile() {
  return basic() ? ["--basic", basic()] : [];
}

function quoted(text) {
  return process.platform === "win32" ? `"${text}"` : `'${text.replace(/'/g, `'\\''`)}'`;
}

async function inTerminal(word) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    vscode.window.showInformationMessage("Open a program first.");
    return;
  }
  await editor.document.save();
  const name = "TI-99/4A";
  const terminal = vscode.window.terminals.find((each) => each.name === name)
    || vscode.window.createTerminal(name);
  terminal.show(true);
  const words = [quoted(command()), word, ...profile(), quoted(editor.document.fileName)];
  terminal.sendText(words.join(" "));
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("ti99tools.run", () => inTerminal("run")),
    vscode.commands.registerCommand("ti99tools.play", () => inTerminal("play")),
    vscode.debug.registerDebugAdapterDescriptorFactory("ti99tools", {
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(command(), ["debug", "--dap"]),
    }),
    vscode.debug.registerDebugConfigurationProvider("ti99tools", {
      resolveDebugConfiguration: (_folder, config) => {
        const editor = vscode.window.activeTextEditor;
        const own = !config.type && editor && editor.document.languageId === "xb";
        const found = own ? {
          type: "ti99tools",
          request: "launch",
          name: "Debug this program",
          program: editor.document.fileName,
        } : config;
        return basic() && !found.basic ? { ...found, basic: basic() } : found;
      },
    }),
  );
  client = new LanguageClient(
    "ti99tools",
    "ti99tools",
    { command: command(), args: ["lsp", ...profile()] },
    { documentSelector: [{ language: "xb", scheme: "file" }] },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `${command()} lsp does not start (${error.message}): `
        + "pip install ti99tools, or name it in the setting ti99tools.command.",
    );
  }
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
