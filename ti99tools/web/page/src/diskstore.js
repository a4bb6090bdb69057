// The disks in the drives, kept by the browser on this computer: high scores outlive a reload.

const NAME = "ti99tools";
const TABLE = "disks";

function opened() {
  return new Promise((resolve, reject) => {
    const wish = indexedDB.open(NAME, 1);
    wish.onupgradeneeded = () => wish.result.createObjectStore(TABLE, { keyPath: "drive" });
    wish.onsuccess = () => resolve(wish.result);
    wish.onerror = () => reject(wish.error);
  });
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class DiskStore {
  constructor(client) {
    this.client = client;
    this.saving = null;
  }

  /** Put the disks kept here into the drives. */
  async restore() {
    try {
      const disks = await done((await opened()).transaction(TABLE).objectStore(TABLE).getAll());
      for (const { drive, origin, data } of disks) {
        await this.client.call("disk_restore", { drive, origin }, data).catch(() => {});
      }
    } catch {
      // A browser that keeps nothing: the drives stay empty.
    }
  }

  /** Keep what is in the drives now. */
  save() {
    this.saving ??= this.keep().catch(() => {}).finally(() => (this.saving = null));
    return this.saving;
  }

  async keep() {
    const kept = [];
    for (const { drive, name, origin } of await this.client.call("drives")) {
      if (name === null) continue;
      const { blob } = await this.client.call("disk_save", { drive, form: "dsk" });
      kept.push({ drive, origin, data: blob });
    }
    const table = (await opened()).transaction(TABLE, "readwrite").objectStore(TABLE);
    table.clear();
    await Promise.all(kept.map((each) => done(table.put(each))));
  }
}
