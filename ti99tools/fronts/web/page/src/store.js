// The user's programs, kept by the browser on this computer: each one a record of its own.
//
// A record has a stamp. It is replaced only if it still has the stamp that this tab has seen last;
// what another tab has written meanwhile stays, and what was written here becomes a program of its
// own. Changes are told to the other tabs.

import { channel, database, done, kept, stamp } from "./database.js";

const NAME = "ti99tools.programs";
const TABLE = "programs";
const OLD = "ti99tools.projects"; // where all programs were one text
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
    // It is a preference: without it the page is as at the first visit.
  }
}

const ours = () => localStorage;
const tabs = () => sessionStorage;

/** Projects by name: {main, files: {name: text}}. */
export class Store {
  /**
   * @param on.changed another tab has changed or removed a program: (name)
   * @param on.split what was written here is kept under another name: (name, copy)
   * @param on.failed nothing can be kept: ("none" | "full")
   */
  constructor(on) {
    this.on = on;
    this.projects = {};
    this.stamps = {}; // name → stamp of the record that this tab has seen last
    this.waiting = new Map(); // name → what is to be written
    this.writing = new Map(); // name → promise
    this.reserved = new Set(); // names that no program of the user's can have
    this.base = null;
  }

  /** Read what is kept. Without a database all is kept in memory only. */
  async open() {
    try {
      this.base = await database(NAME, TABLE, "name");
      await this.bring();
      for (const each of await done(this.table("readonly").getAll())) this.take(each);
    } catch {
      this.base = null;
    }
    this.channel = channel(NAME, ({ name }) => this.hear(name));
  }

  get keeps() {
    return this.base !== null;
  }

  table(mode) {
    return this.base.transaction(TABLE, mode).objectStore(TABLE);
  }

  take({ name, main, files, stamp: seen }) {
    this.projects[name] = { main, files };
    this.stamps[name] = seen;
  }

  /** Bring along the programs of a version that kept them as one text. */
  async bring() {
    let old = null;
    try {
      old = JSON.parse(localStorage.getItem(OLD));
    } catch {
      return;
    }
    if (!old) return;
    const table = this.table("readwrite");
    for (const [name, { main, files }] of Object.entries(old)) {
      const record = { name, main, files, stamp: stamp() };
      table.get(name).onsuccess = ({ target }) => target.result || table.put(record);
    }
    await kept(table.transaction);
    localStorage.removeItem(OLD);
  }

  get names() {
    return Object.keys(this.projects).sort();
  }

  /** Keep a project. */
  save(name, { main, files }) {
    this.projects[name] = { main, files: { ...files } };
    this.waiting.set(name, this.projects[name]);
    return this.write(name);
  }

  /** Write what waits, one write after the other. */
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
      if (other) return this.split(name, other);
      this.stamps[name] = record.stamp;
      this.channel.postMessage({ name });
    }
  }

  /** Another tab was quicker: its text stays, ours gets a name of its own. */
  split(name, other) {
    const mine = this.waiting.get(name) ?? this.projects[name];
    this.waiting.delete(name);
    const copy = this.free(name);
    this.take(other);
    this.on.split(name, copy);
    return this.save(copy, mine);
  }

  /** Another tab has written or removed a program. */
  async hear(name) {
    if (!this.base || this.waiting.has(name) || this.writing.has(name)) return;
    const found = await done(this.table("readonly").get(name));
    if (this.waiting.has(name) || this.writing.has(name)) return;
    if (found) this.take(found);
    else this.forget(name);
    this.on.changed(name);
  }

  forget(name) {
    delete this.projects[name];
    delete this.stamps[name];
    this.waiting.delete(name);
  }

  /** Remove a program. */
  async remove(name) {
    await this.writing.get(name);
    this.forget(name);
    if (!this.base) return;
    const table = this.table("readwrite");
    table.delete(name);
    await kept(table.transaction);
    this.channel.postMessage({ name });
  }

  /** Keep a setting: of the browser, or of this tab, with the browser's for new tabs. */
  set(name, value) {
    set(tabs, name, value);
    set(ours, name, value);
  }

  setting(name) {
    return setting(tabs, name) ?? setting(ours, name);
  }

  /** A name like this one that is free. */
  free(name) {
    const taken = (each) => each in this.projects || this.reserved.has(each);
    if (!taken(name)) return name;
    let number = 2;
    while (taken(`${name}-${number}`)) number++;
    return `${name}-${number}`;
  }
}
