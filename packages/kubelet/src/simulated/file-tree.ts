/** Files in memory by path, without a slash in front; directories exist by what is in them, or because they were made. */
export interface FileTree {
  read(path: string): Uint8Array | undefined;
  /** False where nothing may be written. */
  write(path: string, content: Uint8Array): boolean;
  remove(path: string): boolean;
  makeDirectory(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Names right below a directory. */
  list(path: string): string[];
  /** Of all files together, in bytes. */
  readonly size: number;
}

/** A pod must not fill the memory of the process: more than this in one tree is refused, as on a full disk. */
const maxBytes = 4 * 1024 * 1024;

export function createFileTree(): FileTree {
  const files = new Map<string, Uint8Array>();
  const directories = new Set<string>([""]);
  let size = 0;
  return {
    read: (path) => files.get(path),
    write(path, content) {
      const grown = size + content.length - (files.get(path)?.length ?? 0);
      if (grown > maxBytes || directories.has(path)) return false;
      size = grown;
      files.set(path, content);
      return true;
    },
    remove(path) {
      let removed = directories.delete(path) && path !== "";
      for (const [name, content] of files) {
        if (name !== path && !name.startsWith(`${path}/`)) continue;
        size -= content.length;
        removed = files.delete(name);
      }
      for (const name of directories) if (name.startsWith(`${path}/`)) directories.delete(name);
      return removed;
    },
    makeDirectory(path) {
      if (files.has(path)) return false;
      directories.add(path);
      return true;
    },
    isDirectory: (path) => directories.has(path) || hasBelow(files.keys(), path),
    list: (path) => namesBelow([...files.keys(), ...directories], path),
    get size() {
      return size;
    },
  };
}

/** Files that somebody else writes. */
export function readOnlyTree(files: () => ReadonlyMap<string, Uint8Array>): FileTree {
  return {
    read: (path) => files().get(path),
    write: () => false,
    remove: () => false,
    makeDirectory: () => false,
    isDirectory: (path) => path === "" || hasBelow(files().keys(), path),
    list: (path) => namesBelow(files().keys(), path),
    size: 0, // not the pod's
  };
}

function hasBelow(paths: Iterable<string>, directory: string): boolean {
  for (const path of paths) if (path.startsWith(`${directory}/`)) return true;
  return false;
}

function namesBelow(paths: Iterable<string>, directory: string): string[] {
  const prefix = directory === "" ? "" : `${directory}/`;
  const names = new Set<string>();
  for (const path of paths)
    if (path.startsWith(prefix) && path !== directory && path !== "")
      names.add(path.slice(prefix.length).split("/", 1)[0] as string);
  return [...names].sort();
}
