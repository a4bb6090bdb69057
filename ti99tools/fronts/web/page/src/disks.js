// The drives: make, open, list, save disks, and take single files off them.

import { $, $$, bytes, choose, download, make, sure } from "./dom.js";

const GEOMETRIES = ["SSSD", "DSSD", "SSDD", "DSDD"];
export const ACCEPTED = ".dsk,.hfe,.pc99,.cf7,.tfi,.tifiles,.img,.v9t9,.bin";

export class Disks {
  /**
   * @param owner gives the program whose drives are shown
   * @param say tells the user something: (text, isError)
   * @param boot switches the console on with the disks in the drives
   * @param store keeps the disks in the browser
   * @param bin keeps what is replaced
   */
  constructor(client, { owner, say, boot, store, bin, fetch }) {
    Object.assign(this, { client, owner, say, boot, store, bin, fetch });
    this.panel = $("#tab-disks");
  }

  call(name, args, blob) {
    return this.client.call(name, { owner: this.owner(), ...args }, blob);
  }

  /** Show the contents of the drives. */
  async refresh() {
    const owner = this.owner();
    await this.store.bring(owner);
    const drives = await this.call("drives", { owner });
    const [besides, others] = [await this.store.besides(), await this.store.others(owner)];
    if (owner !== this.owner()) return;
    const start = make("div", { class: "bar" },
      make("button", { type: "button", id: "boot", onclick: () => this.boot() }, "▶ Start the disk in DSK1"),
      make("button", { type: "button", onclick: () => this.fetch() }, "Fetch back…"));
    const whose = make("p", { class: "quiet", id: "drives-of" }, "These are the drives of ", make("b", {}, owner), ". Each program has its own.");
    const focused = $$("button", this.panel).find((each) => each === document.activeElement);
    this.panel.replaceChildren(start, whose, ...drives.map((drive) => this.drive(drive)), ...besides.map((each) => this.beside(each)),
      ...this.elsewhere(others));
    if (focused) $$("button", this.panel).find((each) => named(each) === named(focused))?.focus();
  }

  /** Show a disk kept beside the one in a drive: it can be put there, saved, or thrown away. */
  beside({ key, drive, name, data }) {
    const button = (label, work) => make("button", { type: "button", onclick: work }, label);
    const away = async () => {
      if (!(await sure(`Throw away ${key}?`, "Throw away"))) return;
      await this.bin.add({ kind: "disk", name, owner: this.owner(), drive, data, why: "thrown away" });
      await this.change(() => this.store.remove(key));
    };
    return make("section", { class: "drive beside" },
      make("h2", {}, `Kept beside: ${key}`),
      make("div", { class: "bar" },
        button(`Put into ${drive}`, () => this.change(() => this.put(`${key}.dsk`, data, drive))),
        button("Download .dsk", () => download(`${key}.dsk`, data)), button("Throw away", away)));
  }

  /** Show the disks of other programs: a copy of each can be put into a drive. */
  elsewhere(others) {
    if (!others.length) return [];
    const item = ({ owner, drive, name, data }) => make("li", {}, `${name} in ${drive} of ${owner} `,
      make("button", { type: "button", onclick: () => this.change(() => this.put(`${name}.dsk`, data, drive)) }, `Copy into ${drive}`));
    return [make("details", { class: "others", open: $(".others", this.panel)?.open }, make("summary", {}, `Disks of other programs (${others.length})`),
      make("ul", {}, ...others.map(item)))];
  }

  async change(work) {
    try {
      const done = await work();
      if (typeof done === "string") this.say(done);
    } catch (error) {
      this.say(error.message, true);
    }
    await this.store.save();
    await this.refresh();
  }

  /** Take files of this computer: disks, and TI files for them. */
  take(files, drive = "DSK1") {
    return this.change(async () => {
      let done = "";
      for (const file of files) done = await this.put(file.name, await bytes(file), drive);
      return done;
    });
  }

  /** What `put` would do, and the program that a disk has. */
  async look(name, data, drive = "DSK1") {
    await this.store.bring(this.owner());
    return this.call("disk_look", { drive, name }, data);
  }

  /** Put a disk into a drive, or a TI file onto the disk there; what has to go is asked for and kept. */
  async put(name, data, drive = "DSK1", owner = this.owner()) {
    await this.store.bring(owner);
    const { replaces, damage, name: what } = await this.client.call("disk_look", { owner, drive, name }, data);
    const warning = damage ? `${what} is damaged: ${damage}. ` : "";
    const question = (there) => replaces === "file" ? `Replace ${what} on ${there}?` : `${warning}Replace ${there} with ${what}?`;
    if (replaces && !(await this.giveUp(owner, drive, question, "Replace"))) return "";
    const done = await this.client.call("disk_take", { owner, drive, name }, data);
    await this.store.save();
    return done;
  }

  /** Ask whether the disk in a drive may be replaced or changed; if so, it is kept as it is now. */
  async giveUp(owner, drive, question, action, why = "replaced") {
    const { name, files, damaged } = (await this.client.call("drives", { owner })).find((each) => each.drive === drive);
    if (name === null || (!files.length && !damaged)) return true;
    const count = damaged ? "damaged" : files.length === 1 ? "1 file" : `${files.length} files`;
    if (!(await sure(question(`${name} in ${drive} of ${owner} (${count})`), action))) return false;
    await this.toBin(owner, drive, why);
    return true;
  }

  /** Keep the disk in a drive as it is now. */
  async toBin(owner, drive, why) {
    const { name, origin, data } = await this.store.disk(owner, drive);
    await this.bin.add({ kind: "disk", name, owner, drive, origin, data, why });
  }

  /** Put a disk that was kept back into its drive; gives whether that was done. */
  async back({ owner, drive, name, origin, data }) {
    await this.store.bring(owner);
    if (!(await this.giveUp(owner, drive, (there) => `Replace ${there} with ${name} as it was?`, "Replace"))) return false;
    await this.client.call("disk_restore", { owner, drive, origin: origin ?? null }, data.slice());
    await this.store.save();
    this.say(`${name} is in ${drive} of ${owner} again.`);
    await this.refresh();
    return true;
  }

  /** Make a change that loses something, if the user is sure. */
  async lose(drive, question, action, call, args) {
    const owner = this.owner();
    if (!(await this.giveUp(owner, drive, () => question, action, "changed"))) return;
    await this.change(() => this.client.call(call, { owner, drive, ...args }));
  }

  drive({ drive, name, files, free, total, damaged }) {
    const button = (label, work, title) => make("button", { type: "button", title, onclick: work }, label);
    const head = make("h2", {}, make("b", {}, drive), name === null ? " empty" : ` ${name}`);
    if (damaged) head.append(make("span", { class: "bad" }, ` damaged: ${damaged}`));
    else if (name !== null) head.append(make("span", { class: "quiet" }, ` disk of ${this.owner()}, ${free} of ${total} sectors free`));
    const open = button("Open…", async () => this.take(await choose(ACCEPTED), drive));
    const bar = make("div", { class: "bar" }, open, button("New…", () => this.ask(drive)));
    if (name !== null) {
      bar.append(
        button("Download .dsk", () => this.save(drive, "dsk")),
        button("Download .hfe", () => this.save(drive, "hfe")),
        button("Eject", () => this.lose(drive, `Eject ${name}?`, "Eject", "disk_eject", {})),
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
          act("Download as text", () => this.file(drive, name, "text"), "Download as text"),
          act("Download as TI file", () => this.file(drive, name, "tifiles"), "Download as TI file"),
          act("✕", () => this.lose(drive, `Remove ${name} from the disk?`, "Remove", "disk_remove", { name }), "Remove")),
      );
    });
    const head = ["File", "Type", "Sectors", "Actions"].map((text) => make("th", { scope: "col" }, text));
    return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }

  save(drive, form) {
    return this.change(async () => {
      const { result, blob } = await this.call("disk_save", { drive, form });
      download(result, blob);
    });
  }

  file(drive, name, form) {
    return this.change(async () => {
      const { result, blob } = await this.call("disk_file", { drive, name, form });
      download(result, blob);
    });
  }

  /** Ask for the name and the size of a new disk. */
  ask(drive) {
    const dialog = $("#dialog");
    const judge = () => name.setCustomValidity(/^[^\s.\0-\x1f]+$/.test(name.value) ? "" : "Use 1 to 10 characters, and no blank or dot.");
    const name = make("input", { value: "DISK", maxlength: 10, required: true, name: "name", oninput: judge });
    const size = make("select", { name: "size" }, ...GEOMETRIES.map((each) => make("option", {}, each)));
    const form = make("form", { method: "dialog" },
      make("h2", {}, `New disk in ${drive}`),
      make("label", {}, "Name", name), make("label", {}, "Geometry", size),
      make("div", { class: "bar" },
        make("button", { class: "primary", value: "ok" }, "Make"),
        make("button", { value: "", formnovalidate: true }, "Cancel")));
    dialog.replaceChildren(form);
    const owner = this.owner();
    dialog.onclose = () => {
      if (dialog.returnValue !== "ok") return;
      const wish = { owner, drive, geometry: size.value, name: name.value.toUpperCase() };
      const question = (there) => `Replace ${there} with a new disk?`;
      this.change(async () => (await this.giveUp(owner, drive, question, "Replace")) && this.client.call("disk_new", wish));
    };
    dialog.returnValue = "";
    dialog.showModal();
  }
}

/** What a button is: its drive and its words. */
const named = (button) => `${button.closest("[data-drive]")?.dataset.drive} ${button.getAttribute("aria-label") ?? button.textContent}`;
