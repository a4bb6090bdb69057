// What the editor asks of the language server in the second worker.

export class Server {
  /** @param told takes (file, diagnostics) */
  constructor(client, told) {
    this.client = client;
    this.told = told;
    this.serial = 0;
  }

  uri(project, file) {
    return `file:///work/${encodeURIComponent(project)}/${encodeURIComponent(file)}`;
  }

  async send(message) {
    const answers = await this.client.call("lsp", { message });
    for (const { method, params } of answers) {
      if (method !== "textDocument/publishDiagnostics") continue;
      this.told(decodeURIComponent(params.uri.split("/").pop()), params.diagnostics);
    }
    return answers.find((answer) => "result" in answer)?.result ?? null;
  }

  /** Hand over a text: what lint finds is told. */
  open(project, file, text) {
    const textDocument = { uri: this.uri(project, file), text };
    return this.send({ method: "textDocument/didOpen", params: { textDocument } });
  }

  close(project, file) {
    const textDocument = { uri: this.uri(project, file) };
    return this.send({ method: "textDocument/didClose", params: { textDocument } });
  }

  ask(what, project, file, line, character) {
    const textDocument = { uri: this.uri(project, file) };
    const params = { textDocument, position: { line, character } };
    return this.send({ id: ++this.serial, method: `textDocument/${what}`, params });
  }
}
