// The drives: make, open, list, save disks, and take single files off them.

import { $, bytes, choose, download, make, sure } from "./dom.js";

const GEOMETRIES = ["SSSD", "DSSD", "SSDD", "DSDD"];
export const ACCEPTED = ".dsk,.hfe,.pc99,.cf7,.tfi,.tifiles,.img,.v9t9,.bin";

export class Disks {
  /**
   * @param say tells the user something: (text, isError)
   * @param boot switches the console on with the disks in the drives
   * @param store keeps the disks in the browser
   */
  constructor(client, say, boot, store) {
    this.client = client;
    this.store = store;
    this.say = say;
    this.boot = boot;
    this.panel = $("#tab-disks");
  }

  /** Show the contents of the drives. */
  async refresh() {
    const drives = await this.client.call("drives");
    const start = make("div", { class: "bar" },
      make("button", { type: "button", id: "boot", onclick: () => this.boot() }, "▶ Switch the console on"),
      make("span", { class: "quiet" }, "it starts LOAD of DSK1, if that is there"));
    const besides = (await this.store.besides()).map((each) => this.beside(each));
    this.panel.replaceChildren(start, ...drives.map((drive) => this.drive(drive)), ...besides);
  }

  /** Show a disk kept beside the one in a drive: it can be put there, saved, or thrown away. */
  beside({ key, drive, data }) {
    const button = (label, work) => make("button", { type: "button", onclick: work }, label);
    const into = () => this.change(() => this.client.call("disk_take", { drive, name: `${key}.dsk` }, data.slice()));
    return make("section", { class: "drive beside" },
      make("h2", {}, `Kept beside: ${key}`),
      make("div", { class: "bar" },
        button(`Put into ${drive}`, into), button("Save .dsk", () => download(`${key}.dsk`, data)),
        button("Throw away", () => this.change(() => this.store.remove(key)))));
  }

  /** Change the disks; show errors, and the disks. */
  async change(work) {
    try {
      const done = await work();
      if (typeof done === "string") this.say(done);
    } catch (error) {
      this.say(error.message, true);
    }
    this.store.save();
    await this.refresh();
  }

  /** Take files of this computer: disks, and TI files for them. */
  take(files, drive = "DSK1") {
    return this.change(async () => {
      let done = "";
      for (const file of files) {
        done = await this.client.call("disk_take", { drive, name: file.name }, await bytes(file));
      }
      return done;
    });
  }

  /** Make a change that loses something, if the user is sure. */
  async lose(question, action, call, args) {
    if (await sure(question, action)) await this.change(() => this.client.call(call, args));
  }

  drive({ drive, name, files, free, total, damaged }) {
    const button = (label, work, title) => make("button", { type: "button", title, onclick: work }, label);
    const head = make("h2", {}, make("b", {}, drive), name === null ? " empty" : ` ${name}`);
    if (damaged) head.append(make("span", { class: "bad" }, ` damaged: ${damaged}`));
    else if (name !== null) head.append(make("span", { class: "quiet" }, ` ${free} of ${total} sectors free`));
    const open = button("Open…", async () => this.take(await choose(ACCEPTED), drive));
    const bar = make("div", { class: "bar" }, open, button("New…", () => this.ask(drive)));
    if (name !== null) {
      bar.append(
        button("Save .dsk", () => this.save(drive, "dsk")),
        button("Save .hfe", () => this.save(drive, "hfe")),
        button("Eject", () => this.lose(`Eject ${name}? Save it first if you need it.`, "Eject", "disk_eject", { drive })),
      );
    }
    const box = make("section", { class: "drive", "data-drive": drive }, head, bar);
    if (files?.length) box.append(this.catalogue(drive, files));
    return box;
  }

  catalogue(drive, files) {
    const rows = files.map(({ name, type, length, sectors }) => {
      const act = (label, work, about) =>
        make("button", { type: "button", "aria-label": `${about} ${name}`, onclick: work }, label);
      const kind = length ? `${type} ${length}` : type;
      return make("tr", {},
        make("th", { scope: "row" }, name), make("td", {}, kind), make("td", { class: "n" }, String(sectors)),
        make("td", {},
          act("Text", () => this.file(drive, name, "text"), "Save as text"),
          act("TIFILES", () => this.file(drive, name, "tifiles"), "Save as TIFILES"),
          act("✕", () => this.lose(`Remove ${name} from the disk?`, "Remove", "disk_remove", { drive, name }), "Remove")),
      );
    });
    const head = ["File", "Type", "Sectors", "Actions"].map((text) => make("th", { scope: "col" }, text));
    return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }

  save(drive, form) {
    return this.change(async () => {
      const { result, blob } = await this.client.call("disk_save", { drive, form });
      download(result, blob);
    });
  }

  file(drive, name, form) {
    return this.change(async () => {
      const { result, blob } = await this.client.call("disk_file", { drive, name, form });
      download(result, blob);
    });
  }

  /** Ask for the name and the size of a new disk. */
  ask(drive) {
    const dialog = $("#dialog");
    const name = make("input", { value: "DISK", maxlength: 10, required: true, name: "name" });
    const size = make("select", { name: "size" }, ...GEOMETRIES.map((each) => make("option", {}, each)));
    const form = make("form", { method: "dialog" },
      make("h2", {}, `New disk in ${drive}`),
      make("label", {}, "Name", name), make("label", {}, "Geometry", size),
      make("div", { class: "bar" },
        make("button", { class: "primary", value: "ok" }, "Make"),
        make("button", { value: "", formnovalidate: true }, "Cancel")));
    dialog.replaceChildren(form);
    dialog.onclose = () => {
      if (dialog.returnValue !== "ok") return;
      const wish = { drive, geometry: size.value, name: name.value.toUpperCase() };
      this.change(() => this.client.call("disk_new", wish));
    };
    dialog.returnValue = "";
    dialog.showModal();
  }
}
