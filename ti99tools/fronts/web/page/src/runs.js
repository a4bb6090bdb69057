// What runs on the console: starts programs, and tells which one is on the screen.

import { $ } from "./dom.js";

export class Runs {
  /**
   * @param parts the parts of the page that take part: {programs, editor, machine, client, disks, diskStore, bin}
   * @param on.say shows a message: (text, isError)
   * @param on.show shows a row of a file: (file, row)
   * @param on.started is told when the program in the editor has been started
   * @param on.debugs gives what the debugger is to stop at: {rows, watches}
   */
  constructor(parts, on) {
    Object.assign(this, parts, { on });
    this.ran = null; // {name, files, isCompiled} of the program on the screen; files is null for a disk
  }

  /** The program that the console still runs; null if there is none. */
  get present() {
    return this.machine.going && this.ran?.files ? this.ran : null;
  }

  /** Whether the program on the screen is the one in the editor, as it is there. */
  get isInEditor() {
    return Boolean(this.ran?.files) && this.ran.name === this.programs.name && this.isSame(this.ran.files);
  }

  /** Whether these files are the same as in the editor. */
  isSame(files) {
    const { programs } = this;
    return Object.keys({ ...files, ...programs.files }).every((file) => files[file] === programs.files[file]);
  }

  /** Show which program is on the screen, and whether it is the one in the editor. */
  tell() {
    const line = $("#ran");
    line.hidden = !this.ran;
    if (!this.ran) return;
    const { name, files, isCompiled } = this.ran;
    const other = name !== this.programs.name;
    const older = !other && files && !this.isSame(files);
    const more = !files ? "" : other ? ` – the editor shows ${this.programs.name}` : older ? " – before you changed the text" : ", as in the editor";
    line.textContent = line.title = `${name}${isCompiled ? ", compiled" : ""}${more}`;
    line.classList.toggle("other", Boolean(files) && (other || older));
  }

  /** Start the disk in DSK1 of the program in the editor. */
  async boot() {
    const { machine, diskStore, programs: { name } } = this;
    await machine.stop();
    await diskStore.bring(name);
    await machine.boot(name);
    this.ran = { name: `the disk in DSK1 of ${name}`, files: null };
    this.tell();
  }

  /** Start a program on the console; returns the reason if it was to be compiled and cannot be. */
  async start(name, main, files, debug, { rows = {}, watches = [] } = {}, compiled = false) {
    const { machine } = this;
    const text = { ...files };
    await machine.stop();
    await this.diskStore.bring(name);
    machine.builds();
    let isCompiled, why;
    try {
      await this.client.call("put", { project: name, files: text });
      ({ compiled: isCompiled, why } = await this.started({ project: name, main, debug, rows, watches, compiled }));
    } catch (error) {
      machine.unbuilt(error.message);
      throw error;
    }
    this.ran = { name, files: text, isCompiled };
    this.isKept = false; // whether the disks were kept as they were before the program went back
    this.tell();
    return why;
  }

  /** Run a project on the console; whatever disk its own has to replace is asked for and kept. */
  async started(wish) {
    const { project: name } = wish;
    const first = await this.machine.run(wish);
    if (first.asks !== undefined) {
      const question = (there) => `${name} brings its own disk. Replace ${there}?`;
      if (!(await this.disks.giveUp(name, "DSK1", question, "Replace"))) throw new Error(`${name} needs its own disk in DSK1, so it was not started.`);
    }
    const found = first.asks === undefined ? first : await this.machine.run({ ...wish, replace: true });
    const { carried = [], left = [], old } = found;
    if (carried.length + left.length) {
      await this.bin.add({ kind: "disk", name, owner: name, drive: "DSK1", data: old, why: "made anew" });
      const lost = left.length ? ` There was no room for ${left.join(", ")}.` : "";
      this.on.say(`${name} has a new disk. Taken over from the old one: ${carried.join(", ") || "nothing"}.${lost} The old one can be fetched back.`, Boolean(lost));
    }
    return found;
  }

  /** Before the program goes back: gives a function that keeps the disks which that has changed. */
  async returns() {
    const before = this.isKept ? [] : await this.diskStore.of(this.ran.name);
    return async (drives) => {
      for (const disk of before.filter(({ drive }) => drives.includes(drive))) {
        this.isKept = true;
        await this.bin.add({ kind: "disk", ...disk, why: "before the debugger went back" });
      }
      if (drives.length) await this.diskStore.save();
    };
  }

  /** Run the program in the editor; show its mistakes. */
  async run(debug) {
    const { name, main, files } = this.programs;
    $("#run").disabled = $("#run-here").disabled = true;
    try {
      const why = await this.start(name, main, files, debug, debug ? this.on.debugs() : {}, !debug && $("#compiled").checked);
      this.on.started(why);
    } catch (error) {
      const [first] = error.mistakes ?? [];
      this.on.say(error.message, true);
      if (first?.line) this.on.show(first.file?.split("/").pop() ?? main, first.line);
    }
    $("#run").disabled = $("#run-here").disabled = false;
  }
}
