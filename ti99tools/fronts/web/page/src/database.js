// The browser's databases on this computer: helpers for everything kept there.

/** Open a database with one table. Rejects if the browser stores nothing. */
export function database(name, table, keyPath) {
  return new Promise((resolve, reject) => {
    const wish = indexedDB.open(name, 1);
    wish.onupgradeneeded = () => wish.result.createObjectStore(table, { keyPath });
    wish.onsuccess = () => {
      wish.result.onversionchange = () => wish.result.close();
      resolve(wish.result);
    };
    wish.onerror = () => reject(wish.error);
    wish.onblocked = () => reject(new Error("another tab holds the database"));
  });
}

/** The result of one request. */
export function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when a transaction is committed; rejects with the reason if it is not. */
export function kept(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("aborted"));
  });
}

let serial = 0;
const TAB = Math.random().toString(36).slice(2);

/** A unique mark for a state of a record, across all tabs. */
export function stamp() {
  return `${TAB}-${++serial}`;
}

/** A channel to the other tabs. @param heard takes their messages */
export function channel(name, heard) {
  if (!("BroadcastChannel" in self)) return { postMessage() {} };
  const found = new BroadcastChannel(name);
  found.onmessage = ({ data }) => heard(data);
  return found;
}
