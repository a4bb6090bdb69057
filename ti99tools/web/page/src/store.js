// The user's programs, kept by the browser on this computer.

const KEY = "ti99tools.projects";
const SETTINGS = "ti99tools.settings";

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Projects by name: {main, files: {name: text}, changed}. */
export class Store {
  constructor() {
    this.projects = read(KEY, {});
    this.settings = read(SETTINGS, {});
  }

  get names() {
    return Object.keys(this.projects).sort();
  }

  /** Keep a project; false when the browser has no room for it. */
  save(name, project) {
    this.projects[name] = project;
    return write(KEY, this.projects);
  }

  remove(name) {
    delete this.projects[name];
    write(KEY, this.projects);
  }

  set(name, value) {
    this.settings[name] = value;
    write(SETTINGS, this.settings);
  }

  /** A name like this one that is free. */
  free(name) {
    const taken = (each) => each in this.projects;
    if (!taken(name)) return name;
    let number = 2;
    while (taken(`${name}-${number}`)) number++;
    return `${name}-${number}`;
  }
}
