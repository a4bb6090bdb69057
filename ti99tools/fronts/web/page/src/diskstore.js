// The disks in the drives, kept by the browser on this computer: high scores outlive a reload.
//
// Only changed disks are written, each as a record with a stamp. If another tab has written the
// record meanwhile, that stays, and this tab's disk is kept beside it in a new record.

import { channel, database, done, kept, stamp } from "./database.js";

const NAME = "ti99tools";
const TABLE = "disks";

const same = (one, other) =>
  one?.length === other?.length && one.every((byte, at) => byte === other[at]);

export class DiskStore {
  /**
   * @param on.told another tab has changed disks
   * @param on.split (drive) this tab's disk was kept beside another tab's
   * @param on.failed (error) a disk cannot be kept
   */
  constructor(client, on) {
    this.client = client;
    this.on = on;
    this.saving = null;
    this.known = new Map(); // drive → {key, stamp, data} as this tab has read or written it
    this.channel = channel(`${NAME}.${TABLE}`, () => this.on.told());
  }

  async table(mode) {
    this.base ??= await database(NAME, TABLE, "drive");
    return this.base.transaction(TABLE, mode).objectStore(TABLE);
  }

  /** Put the disks kept here into the drives. */
  async restore() {
    try {
      for (const { drive, origin, data, stamp: seen, beside } of await done((await this.table("readonly")).getAll())) {
        if (beside) continue;
        if (same(this.known.get(drive)?.data, data)) continue;
        // A disk that cannot be read stays unknown, so that its record is never overwritten.
        const isRead = this.client.call("disk_restore", { drive, origin }, data?.slice()).then(() => true, () => false);
        if (await isRead) this.known.set(drive, { key: drive, stamp: seen, data });
      }
    } catch {
      // The browser stores nothing: the drives stay empty.
    }
  }

  /** Note that the console was started anew, so that its drives are empty. */
  forget() {
    this.known.clear();
  }

  /** Keep what is in the drives now. */
  save() {
    this.saving ??= this.keep().catch((error) => error instanceof DOMException && this.on.failed(error)).finally(() => (this.saving = null));
    return this.saving;
  }

  async keep() {
    let written = false;
    for (const { drive, name, origin, damaged } of await this.client.call("drives")) {
      const known = this.known.get(drive);
      if (name === null) {
        if (known) written = (await this.write(known.key, known.stamp, null)) || written;
        this.known.delete(drive);
        continue;
      }
      if (damaged) continue;
      const { blob } = await this.client.call("disk_save", { drive, form: "dsk" });
      if (same(known?.data, blob)) continue;
      const record = { drive: known?.key ?? drive, origin, data: blob, stamp: stamp() };
      if (!(await this.write(record.drive, known?.stamp, record))) {
        record.beside = drive;
        record.drive = `${drive} ${name} ${new Date().toLocaleString()}`;
        await this.write(record.drive, undefined, record);
        this.on.split(drive);
      }
      this.known.set(drive, { key: record.drive, stamp: record.stamp, data: blob });
      written = true;
    }
    if (written) this.channel.postMessage({});
  }

  /** Write a record, or remove it (`record` null); false if another tab has written it meanwhile. */
  async write(key, seen, record) {
    const table = await this.table("readwrite");
    let free = true;
    const found = table.get(key);
    found.onsuccess = () => {
      free = !found.result || found.result.stamp === seen;
      if (free && record) table.put(record);
      else if (free) table.delete(key);
    };
    await kept(table.transaction);
    return free;
  }

  /** The disks that are kept beside those in the drives: [{key, drive, data}]. */
  async besides() {
    try {
      const all = await done((await this.table("readonly")).getAll());
      return all.filter(({ beside }) => beside).map((each) => ({ key: each.drive, drive: each.beside, data: each.data }));
    } catch {
      return [];
    }
  }

  async remove(key) {
    const table = await this.table("readwrite");
    table.delete(key);
    await kept(table.transaction);
  }
}
