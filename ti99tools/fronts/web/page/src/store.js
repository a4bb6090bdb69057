// The user's programs, kept by the browser on this computer: one record each.
//
// A record has a stamp. It is replaced only if it still has the stamp that this tab last saw. If
// another tab has written it meanwhile, that stays, and this tab's text becomes a new program.
// Changes are reported to the other tabs.

import { channel, database, done, kept, stamp } from "./database.js";
import { isTune } from "./tune.js";

const NAME = "ti99tools.programs";
const TABLE = "programs";
const OLD = "ti99tools.projects"; // the key of an older version, which kept all programs as one text
const SETTING = "ti99tools.set.";

function setting(storage, name) {
  try {
    return JSON.parse(storage().getItem(SETTING + name)) ?? undefined;
  } catch {
    return undefined;
  }
}

function set(storage, name, value) {
  try {
    storage().setItem(SETTING + name, JSON.stringify(value));
  } catch {
    // Only a preference: without it the page is as at the first visit.
  }
}

/** Whether a record is a program: {main, files: {name: text}}, with the main file in `files`. */
const isWhole = (record) =>
  typeof record?.files === "object" && record.files !== null && typeof record.files[record.main] === "string" &&
  Object.values(record.files).every((text) => typeof text === "string");

const ours = () => localStorage;
const tabs = () => sessionStorage;

/** Projects by name: {main, files: {name: text}, tune: {tune, place} or null}. */
export class Store {
  /**
   * @param on.changed (name, to) another tab has changed or removed a program, or renamed it to `to`
   * @param on.split (name, copy) this tab's text was kept under another name
   * @param on.failed ("none" | "full") nothing can be kept
   * @param on.kept a program has been written
   */
  constructor(on) {
    this.on = on;
    this.projects = {};
    this.stamps = {}; // name → the record's stamp that this tab last saw
    this.waiting = new Map(); // name → record to be written
    this.writing = new Map(); // name → promise
    this.reserved = new Set(); // names that no program of the user's can have
    this.damaged = []; // names of records that are not programs; they stay as they are
    this.unkept = new Set(); // names of programs that could not be written and are only in this tab
    this.base = null;
  }

  /** Read the records. Without a database, programs are kept in memory only. */
  async open() {
    try {
      this.base = await database(NAME, TABLE, "name");
      await this.bring();
      for (const each of await done(this.table("readonly").getAll())) {
        if (isWhole(each)) this.take(each);
        else this.damaged.push(each.name);
      }
      for (const name of this.damaged) this.reserved.add(name);
    } catch {
      this.base = null;
    }
    this.channel = channel(NAME, ({ name, to }) => this.hear(name, to));
  }

  get keeps() {
    return this.base !== null;
  }

  table(mode) {
    return this.base.transaction(TABLE, mode).objectStore(TABLE);
  }

  take({ name, main, files, tune, stamp: seen }) {
    this.projects[name] = { main, files, tune: isTune(tune?.tune) ? tune : null };
    this.stamps[name] = seen;
  }

  /** Take over the programs of an older version, which kept them as one text. */
  async bring() {
    let old = null;
    try {
      old = JSON.parse(localStorage.getItem(OLD));
    } catch {
      return;
    }
    const all = Object.entries(old ?? {});
    if (!all.length) return;
    const table = this.table("readwrite");
    for (const [name, { main, files }] of all.filter(([, each]) => isWhole(each))) {
      const record = { name, main, files, stamp: stamp() };
      table.get(name).onsuccess = ({ target }) => target.result || table.put(record);
    }
    await kept(table.transaction);
    const rest = all.filter(([, each]) => !isWhole(each));
    if (rest.length) localStorage.setItem(OLD, JSON.stringify(Object.fromEntries(rest)));
    else localStorage.removeItem(OLD);
  }

  get names() {
    return Object.keys(this.projects).sort();
  }

  /** Keep a project. */
  save(name, { main, files, tune = null }) {
    this.projects[name] = { main, files: { ...files }, tune };
    this.waiting.set(name, this.projects[name]);
    return this.write(name);
  }

  /** Write the waiting records of a program, one after the other. */
  write(name) {
    if (!this.writing.has(name)) {
      this.writing.set(name, this.work(name).finally(() => this.writing.delete(name)));
    }
    return this.writing.get(name);
  }

  async work(name) {
    while (this.waiting.has(name)) {
      const project = this.waiting.get(name);
      this.waiting.delete(name);
      this.unkept.add(name);
      if (!this.base) return this.on.failed("none");
      const record = { name, ...project, stamp: stamp() };
      let other = null;
      try {
        const table = this.table("readwrite");
        const found = table.get(name);
        found.onsuccess = () => {
          if (found.result && found.result.stamp !== this.stamps[name]) other = found.result;
          else table.put(record);
        };
        await kept(table.transaction);
      } catch (error) {
        return this.on.failed(error?.name === "QuotaExceededError" ? "full" : "none");
      }
      this.unkept.delete(name);
      if (other) return this.split(name, other);
      this.stamps[name] = record.stamp;
      this.on.kept();
      this.channel.postMessage({ name });
    }
  }

  /** Keep this tab's text under a new name, since another tab has written the program. */
  split(name, other) {
    const mine = this.waiting.get(name) ?? this.projects[name];
    this.waiting.delete(name);
    const copy = this.free(name);
    this.take(other);
    this.on.split(name, copy);
    return this.save(copy, mine);
  }

  /** Take over a change, a removal or a new name from another tab. */
  async hear(name, to) {
    if (!this.base || this.waiting.has(name) || this.writing.has(name)) return;
    const find = (each) => done(this.table("readonly").get(each));
    const [found, renamed] = [await find(name), to && await find(to)];
    if (this.waiting.has(name) || this.writing.has(name)) return;
    if (found) this.take(found);
    else this.forget(name);
    if (renamed) this.take(renamed);
    this.on.changed(name, renamed && !found ? to : undefined);
  }

  forget(name) {
    delete this.projects[name];
    delete this.stamps[name];
    this.waiting.delete(name);
    this.unkept.delete(name);
  }

  /** Remove a program, unless another tab has written it meanwhile. @param to the name that it has from now on, if any */
  async remove(name, to) {
    await this.writing.get(name);
    const seen = this.stamps[name];
    this.forget(name);
    if (!this.base) return;
    const table = this.table("readwrite");
    let other = null;
    table.get(name).onsuccess = ({ target: { result } }) => {
      if (result && result.stamp !== seen) other = result;
      else table.delete(name);
    };
    await kept(table.transaction);
    if (!other) return this.channel.postMessage({ name, to });
    this.take(other);
    this.on.changed(name);
  }

  /** Keep a setting, for the browser or (with the browser's as default) for this tab. */
  set(name, value) {
    set(tabs, name, value);
    set(ours, name, value);
  }

  setting(name) {
    return setting(tabs, name) ?? setting(ours, name);
  }

  /** A free name similar to this one. */
  free(name) {
    const taken = (each) => each in this.projects || this.reserved.has(each);
    if (!taken(name)) return name;
    let number = 2;
    while (taken(`${name}-${number}`)) number++;
    return `${name}-${number}`;
  }
}
