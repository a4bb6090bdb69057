// Import, export, rename and duplicate whole programs, and manage their files.

import { $, ask, bytes, chooseFolder, download, sure, walked } from "./dom.js";

const NAME = { pattern: /^[\w-]{1,40}$/, rule: "Use up to 40 letters, digits, - and _." };
const FILE = { pattern: /^[\w-]{1,40}(\.[\w-]{1,10}){1,3}$/, rule: "Use up to 40 letters, digits, - and _, and an extension: more.xb" };
const SOURCE = /\.(xb|bas|txt|b99|lst)$/i;
const DISK = /\.(dsk|hfe|pc99|cf7|img|v9t9)$/i;
const ARCHIVE = /\.zip$/i;

/** A valid name for a program or file, made from the name of a file. */
export const stem = (name) => name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "-").toLowerCase().slice(0, 40) || "program";

export class Projects {
  /**
   * @param client the worker that unpacks and packs files
   * @param on.say tells the user something: (text, isError)
   * @param on.disks takes disks and TI files: (name, bytes, program); rejects for anything else.
   *   `program` makes a program of a disk's listing and gives its name
   * @param on.hush removes a message about what was opened before
   * @param on.opened shows the program that was opened
   * @param on.copied (name, copy) a copy of a program was made
   * @param on.renamed (old, name) a program has another name
   * @param on.removed (file, text) a file is removed from the open program
   */
  constructor(client, programs, on) {
    this.client = client;
    this.programs = programs;
    this.on = on;
  }

  /** Wire the buttons of the menu. */
  wire() {
    const acts = {
      save: () => this.save(), rename: () => this.rename(), duplicate: () => this.duplicate(),
      folder: async () => this.folder(await chooseFolder()), "file-add": () => this.add(),
      "file-rename": () => this.renameFile(), "file-remove": () => this.removeFile(),
    };
    for (const [id, work] of Object.entries(acts)) {
      document.getElementById(id).onclick = () => Promise.resolve(work()).catch((error) => this.on.say(error.message, true));
    }
    $("#mine").onclick = () => {
      this.copy();
      this.programs.editor.focus();
    };
    // The menu closes when something in it is chosen, on a click outside, and when the focus leaves it.
    document.addEventListener("click", ({ target }) => $("#more summary").contains(target) || ($("#more").open = false));
    $("#more").addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !$("#more").contains(relatedTarget) && ($("#more").open = false));
    $("#more").onkeydown = ({ key }) => {
      if (key !== "Escape") return;
      $("#more").open = false;
      $("#more summary").focus();
    };
  }

  // -- import -----------------------------------------------------------------------------------

  /** Import files of this computer: sources, ZIP archives, disks. */
  async open(files, turn = this.programs.turn()) {
    for (const file of files) {
      try {
        this.on.hush();
        await this.take(file, turn);
      } catch (error) {
        this.on.say(error.message, true);
      }
    }
  }

  async take(file, turn) {
    const { name } = file;
    const data = await bytes(file);
    if (ARCHIVE.test(name)) return this.use(stem(name), await this.client.call("unpack", { name }, data), turn);
    const program = (listing) => this.programs.add(stem(name), `${stem(name)}.bas`, listing, turn);
    if (DISK.test(name)) return this.on.disks(name, data, program);
    if (!SOURCE.test(name) && (await this.on.disks(name, data.slice(0), program).then(() => true, () => false))) return;
    const text = await this.client.call("open", { name }, data);
    this.programs.add(stem(name), `${stem(name)}.${/\.xb$/i.test(name) ? "xb" : "bas"}`, text, turn);
    this.on.opened();
  }

  /** Import a folder. @param found {name, files: [{path, data}]} */
  async folder({ name, files }, turn = this.programs.turn()) {
    const sizes = files.map(({ path, data }) => [path, data.byteLength]);
    const whole = new Uint8Array(await new Blob(files.map(({ data }) => data)).arrayBuffer());
    this.use(stem(name), await this.client.call("gather", { sizes }, whole.buffer), turn);
  }

  use(name, { files, main, left_out: leftOut }, turn) {
    this.programs.bring(name, { main, files }, turn);
    this.on.opened();
    if (leftOut.length) this.on.say(`Left out, being no texts of this program: ${leftOut.slice(0, 5).join(", ")}${leftOut.length > 5 ? " …" : ""}`);
  }

  // -- export -----------------------------------------------------------------------------------

  /** Save the source: the file, or all files as a zip archive. */
  async save() {
    const { name, main, files } = this.programs;
    if (Object.keys(files).length === 1) return download(main, files[main], "text/plain");
    const { blob } = await this.client.call("pack", { files });
    download(`${name}.zip`, blob, "application/zip");
  }

  // -- names ------------------------------------------------------------------------------------

  async rename() {
    const { programs } = this;
    const name = await ask("Rename the program", "Name", programs.name, NAME);
    if (!name || name === programs.name) return;
    const { name: old, record, place, store } = programs;
    const free = programs.bring(name, record, programs.turn(), place);
    await store.writing.get(free);
    if (store.keeps && store.unkept.has(free)) { // the browser is full: what it has kept stays
      store.forget(free);
      programs.use(old, record);
      return;
    }
    await this.on.renamed(old, free);
    await store.remove(old, free);
    programs.list();
    if (free !== name) this.on.say(`There is a program ${name}: this one is ${free} now.`);
  }

  duplicate() {
    this.copy();
    this.on.opened();
  }

  copy() {
    const { name } = this.programs;
    this.programs.copy();
    this.on.copied(name, this.programs.name);
  }

  async add() {
    const { programs } = this;
    const file = await ask("Add a file", "Name", "more.xb", FILE);
    if (!file) return;
    if (file in programs.files) return this.on.say(`There is a file ${file}.`, true);
    programs.put({ ...programs.files, [file]: "" }, programs.main, file);
  }

  async renameFile() {
    const { programs } = this;
    const old = programs.file;
    const file = await ask(`Rename ${old}`, "Name", old, FILE);
    if (!file || file === old) return;
    if (file in programs.files) return this.on.say(`There is a file ${file}.`, true);
    const { [old]: text, ...files } = programs.files;
    programs.put({ ...files, [file]: text }, programs.main === old ? file : programs.main, file, file);
  }

  async removeFile() {
    const { programs } = this;
    const { [programs.file]: text, ...files } = programs.files;
    if (programs.file === programs.main) return this.on.say("The program begins in this file: delete the program instead.", true);
    if (!(await sure(`Remove ${programs.file}?`, "Remove"))) return;
    await this.on.removed(programs.file, text);
    programs.put(files, programs.main, programs.main);
  }
}

/** Let files and folders be dropped anywhere. @param failed takes an error */
export function dropping(projects, failed) {
  const has = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    $("#drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) $("#drop").hidden = true;
  });
  document.addEventListener("drop", async (event) => {
    if (!has(event)) return;
    event.preventDefault();
    $("#drop").hidden = true;
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
    const files = [...event.dataTransfer.files].filter((_, at) => !entries[at]?.isDirectory);
    const turn = projects.programs.turn();
    await projects.open(files, turn);
    for (const entry of entries.filter((each) => each?.isDirectory)) {
      await projects.folder({ name: entry.name, files: await walked(entry) }, turn).catch(failed);
    }
  });
}
