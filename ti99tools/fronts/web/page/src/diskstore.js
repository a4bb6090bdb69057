// The disks of each program, kept by the browser on this computer: high scores outlive a reload.
//
// Each program has drives of its own, which are filled when the program is first needed. Only
// changed disks are written, each as a record with a stamp. If another tab has written the record
// meanwhile, that stays, and this tab's disk is kept beside it in a new record.

import { channel, database, done, kept, stamp } from "./database.js";

const NAME = "ti99tools";
const TABLE = "disks";
const SECTOR = 256;

/** The name that a disk image has in its first sector. */
const volumeOf = (data) => String.fromCharCode(...data.slice(0, 10)).trim();

export class DiskStore {
  /**
   * @param on.told another tab has changed disks
   * @param on.written this tab has kept disks that have changed
   * @param on.split (owner, drive) this tab's disk was kept beside another tab's
   * @param on.failed (error) a disk cannot be kept
   */
  constructor(client, on) {
    this.client = client;
    this.on = on;
    this.saving = null;
    this.known = new Map(); // "owner/drive" → {key, stamp, digest} as this tab has read or written it
    this.brought = new Map(); // owner → promise, of programs whose drives were filled
    this.channel = channel(`${NAME}.${TABLE}`, () => this.on.told());
  }

  async table(mode) {
    this.base ??= await database(NAME, TABLE, "drive");
    return this.base.transaction(TABLE, mode).objectStore(TABLE);
  }

  /** All records; none if the browser stores nothing. */
  async records() {
    return this.table("readonly").then((table) => done(table.getAll())).catch(() => []);
  }

  /**
   * Give the disks of an older version, which had one set of drives for all programs, to programs.
   * @param current the program that was open last
   * @param games names of the shipped games, which their disks have, too
   */
  async adopt(current, games) {
    for (const record of await this.records()) {
      const { drive, origin, data, beside, owner } = record;
      if (owner !== undefined || beside || !(data?.length >= SECTOR)) continue;
      const name = volumeOf(data);
      const game = origin && games.find((each) => each.toUpperCase() === name.toUpperCase());
      const table = await this.table("readwrite");
      const mine = { ...record, owner: game || current, at: drive, name };
      mine.drive = `${mine.owner}/${drive}`;
      table.get(mine.drive).onsuccess = ({ target }) => {
        if (target.result) return;
        table.put(mine);
        table.delete(drive);
      };
      await kept(table.transaction);
    }
  }

  /** Put the disks kept for a program into its drives, unless that was done. */
  bring(owner) {
    if (!this.brought.has(owner)) this.brought.set(owner, this.restore(owner));
    return this.brought.get(owner);
  }

  async restore(owner) {
    for (const { drive: key, owner: whose, at, origin, data, digest, stamp: seen, beside } of await this.records()) {
      if (whose !== owner || beside || this.known.get(key)?.stamp === seen) continue;
      // A disk that cannot be read stays unknown, so that its record is never overwritten.
      const wish = { owner, drive: at, origin: origin || null };
      const isRead = this.client.call("disk_restore", wish, data?.slice()).then(() => true, () => false);
      if (await isRead) this.known.set(key, { key, stamp: seen, digest });
    }
  }

  /** Take over what another tab has changed. */
  async again() {
    for (const owner of this.brought.keys()) await this.restore(owner);
  }

  /** Note that the console was started anew, so that its drives are empty. */
  forget() {
    this.known.clear();
    this.brought.clear();
  }

  /** Give a program's disks to the name that it has from now on. */
  async move(owner, name) {
    await this.bring(owner);
    await this.client.call("disks_move", { owner, name });
    this.brought.delete(owner);
    this.brought.set(name, Promise.resolve());
    await this.save();
  }

  /** Give copies of a program's disks to a copy of the program. */
  async copy(owner, name) {
    await this.bring(owner);
    await this.client.call("disks_copy", { owner, name });
    this.brought.set(name, Promise.resolve());
    await this.save();
  }

  /** The disks of a program: [{owner, drive, name, origin, data}]. */
  async of(owner) {
    await this.bring(owner);
    const all = (await this.client.call("disks")).filter((each) => each.owner === owner);
    return Promise.all(all.map(({ drive }) => this.disk(owner, drive)));
  }

  /** The disk in a drive as it is now. */
  async disk(owner, drive) {
    const { result, blob } = await this.client.call("disk_bytes", { owner, drive });
    return { owner, ...result, data: blob };
  }

  /** Forget the disks of a program that is no more. */
  async drop(owner) {
    await this.client.call("disks_forget", { owner });
    this.brought.delete(owner);
    await this.save();
  }

  /** Keep what is in the drives now. */
  async save() {
    await this.saving;
    this.saving ??= this.keep().catch((error) => error instanceof DOMException && this.on.failed(error)).finally(() => (this.saving = null));
    return this.saving;
  }

  async keep() {
    let written = false;
    const there = await this.client.call("disks");
    for (const { owner, drive, digest, damaged } of there) {
      const place = `${owner}/${drive}`;
      if (damaged || this.known.get(place)?.digest === digest) continue;
      written = (await this.put(place, await this.disk(owner, drive))) || written;
    }
    const places = new Set(there.map(({ owner, drive }) => `${owner}/${drive}`));
    for (const [place, known] of this.known) {
      if (places.has(place)) continue;
      written = (await this.write(known.key, known.stamp, null)) || written;
      this.known.delete(place);
    }
    if (!written) return;
    this.channel.postMessage({});
    this.on.written();
  }

  /** Keep a disk under its place, or beside it if another tab has written there meanwhile. */
  async put(place, { owner, drive, name, origin, digest, data }) {
    const known = this.known.get(place);
    const record = { drive: known?.key ?? place, owner, at: drive, name, origin, digest, data, stamp: stamp() };
    if (!(await this.write(record.drive, known?.stamp, record))) {
      record.beside = drive;
      record.drive = `${place} ${name} ${new Date().toLocaleString()}`;
      await this.write(record.drive, undefined, record);
      this.on.split(owner, drive);
    }
    this.known.set(place, { key: record.drive, stamp: record.stamp, digest });
    return true;
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

  /** The disks that are kept beside those in the drives: [{key, drive, name, data}]. */
  async besides() {
    const all = (await this.records()).filter(({ beside }) => beside);
    return all.map((each) => ({ key: each.drive, drive: each.beside, name: each.name ?? each.drive, data: each.data }));
  }

  /** The disks of all other programs: [{owner, drive, name, data}]. */
  async others(owner) {
    const all = (await this.records()).filter((each) => each.owner !== undefined && each.owner !== owner && !each.beside);
    return all.map(({ owner: whose, at, name, data }) => ({ owner: whose, drive: at, name, data }));
  }

  async remove(key) {
    const table = await this.table("readwrite");
    table.delete(key);
    await kept(table.transaction);
  }
}
