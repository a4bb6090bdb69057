// The last things that were replaced or deleted, kept by the browser so that they can be fetched back.

import { database, done, kept, stamp } from "./database.js";

const NAME = "ti99tools.bin";
const TABLE = "things";
export const LAST = 20; // things that are kept

/** Things: {key, when, kind, name, …}. `kind`: "disk", "program" or "file"; the rest is for whoever put it there. */
export class Bin {
  constructor() {
    this.loose = []; // things of this visit that the browser cannot keep
  }

  async table(mode) {
    this.base ??= await database(NAME, TABLE, "key");
    return this.base.transaction(TABLE, mode).objectStore(TABLE);
  }

  /** Keep a thing; the oldest one goes if there are too many. */
  async add(thing) {
    const when = new Date().toISOString();
    const whole = { ...thing, when, key: `${when} ${stamp()}` };
    try {
      const table = await this.table("readwrite");
      table.put(whole);
      const keys = table.getAllKeys();
      keys.onsuccess = () => keys.result.slice(0, -LAST).forEach((key) => table.delete(key));
      await kept(table.transaction);
    } catch {
      this.loose = [...this.loose, whole].slice(-LAST);
    }
  }

  /** All things, newest first. */
  async all() {
    const all = await this.table("readonly").then((table) => done(table.getAll())).catch(() => []);
    return [...all, ...this.loose].sort((one, other) => (one.key < other.key ? 1 : -1));
  }

  /** Remove a thing that was fetched back. */
  async remove(key) {
    this.loose = this.loose.filter((each) => each.key !== key);
    if (!this.base) return;
    const table = await this.table("readwrite");
    table.delete(key);
    await kept(table.transaction);
  }
}
