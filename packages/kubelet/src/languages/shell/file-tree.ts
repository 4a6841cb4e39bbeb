import { Budget, OverBudget } from "../budget.js";

/** Why a file cannot be written, in the words of the kernel. */
export type FileProblem =
  | "Read-only file system"
  | "No space left on device"
  | "Is a directory"
  | "Not a directory"
  | "File name too long"
  | "File exists";

/** Files in memory by path, without a slash in front; directories are made as files in them are written. */
export interface FileTree {
  read(path: string): Uint8Array | undefined;
  /** Returns why it cannot be done. */
  write(path: string, content: Uint8Array): FileProblem | undefined;
  append(path: string, content: Uint8Array): FileProblem | undefined;
  remove(path: string): boolean;
  makeDirectory(path: string): FileProblem | undefined;
  isDirectory(path: string): boolean;
  /** Names right below a directory. */
  list(path: string): string[];
  /** Permission bits of a file; undefined: there is none. */
  mode(path: string): number | undefined;
  setMode(path: string, mode: number): FileProblem | undefined;
  /** Of all files together, in bytes. */
  readonly size: number;
  /** Nobody uses it any more: all that it holds is free. */
  discard(): void;
}

export interface FileTreeOptions {
  /** All that it may hold. @default 4 MiB: a pod must not fill the memory of the process */
  readonly limitBytes?: number;
  /** Called after each change with its path; removals remove what is below, too. */
  changed?(path: string, change: "written" | "appended" | "removed"): void;
}

/** More than this in one tree is refused, as on a full disk. */
const treeBytes = 4 * 1024 * 1024;
/** Of all trees of a process. */
const diskBytes = 512 * 1024 * 1024;
/** What a file or a directory takes apart from its name and its bytes. */
const nodeBytes = 256;

/** Characters of a path: PATH_MAX of Linux. */
export const maxPath = 4096;

/** Of files that the shell makes: umask 022. */
export const newFileMode = 0o644;

/** What all file trees of a process have together. */
export const createDisk = (): Budget => new Budget({ bytes: diskBytes });

/** The bytes of a file are those up to `length`; the rest is there for what is appended. */
interface File {
  bytes: Uint8Array;
  length: number;
  mode: number;
}
type Directory = Map<string, File | Directory>;

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");
const isDirectory = (node: File | Directory | undefined): node is Directory => node instanceof Map;

export const createFileTree = (disk: Budget, options: FileTreeOptions = {}): MemoryFileTree =>
  new MemoryFileTree(disk, options);

/** Files by name, directories as maps of them. */
export class MemoryFileTree implements FileTree {
  readonly #root: Directory = new Map();
  readonly #space: Budget;
  readonly #changed: NonNullable<FileTreeOptions["changed"]>;
  #size = 0;

  constructor(disk: Budget, { limitBytes = treeBytes, changed = () => {} }: FileTreeOptions) {
    this.#space = new Budget({ bytes: limitBytes }, disk);
    this.#changed = changed;
  }

  /** Another limit from now on, as when a disk is made larger. */
  resize(limitBytes: number): void {
    this.#space.limitBytes(limitBytes);
  }

  get size(): number {
    return this.#size;
  }

  read(path: string): Uint8Array | undefined {
    const node = this.#find(path);
    return node === undefined || isDirectory(node) ? undefined : node.bytes.subarray(0, node.length);
  }

  write(path: string, content: Uint8Array): FileProblem | undefined {
    return this.#change(path, () => {
      const file = this.#fileAt(path);
      if (typeof file === "string") return file;
      const more = content.length - file.bytes.length;
      if (more > 0) this.#space.hold(more);
      else this.#space.release(-more);
      this.#size += content.length - file.length;
      // Those who read the old bytes go on with them.
      file.bytes = content.slice();
      file.length = content.length;
      this.#changed(path, "written");
      return undefined;
    });
  }

  append(path: string, content: Uint8Array): FileProblem | undefined {
    return this.#change(path, () => {
      const file = this.#fileAt(path);
      if (typeof file === "string") return file;
      this.#grow(file, file.length + content.length);
      file.bytes.set(content, file.length);
      file.length += content.length;
      this.#size += content.length;
      this.#changed(path, "appended");
      return undefined;
    });
  }

  remove(path: string): boolean {
    const parts = partsOf(path);
    const name = parts.pop();
    const directory = this.#find(parts.join("/"));
    const node = name === undefined || !isDirectory(directory) ? undefined : directory.get(name);
    if (name === undefined || !isDirectory(directory) || !node) return false;
    this.#free(name, node);
    directory.delete(name);
    this.#changed(path, "removed");
    return true;
  }

  makeDirectory(path: string): FileProblem | undefined {
    return this.#change(path, () => {
      const known = this.#find(path);
      if (known !== undefined && !isDirectory(known)) return "File exists";
      if (!this.#directoryOf(partsOf(path))) return "Not a directory";
      this.#changed(path, "written");
      return undefined;
    });
  }

  isDirectory(path: string): boolean {
    return isDirectory(this.#find(path));
  }

  list(path: string): string[] {
    const node = this.#find(path);
    return isDirectory(node) ? [...node.keys()].sort() : [];
  }

  mode(path: string): number | undefined {
    const node = this.#find(path);
    return node === undefined || isDirectory(node) ? undefined : node.mode;
  }

  setMode(path: string, mode: number): FileProblem | undefined {
    const node = this.#find(path);
    // Directories are open to everybody who may see the volume.
    if (node === undefined || isDirectory(node)) return undefined;
    node.mode = mode;
    this.#changed(path, "written");
    return undefined;
  }

  discard(): void {
    this.#root.clear();
    this.#size = 0;
    this.#space.releaseAll();
  }

  #find(path: string): File | Directory | undefined {
    let node: File | Directory | undefined = this.#root;
    for (const part of partsOf(path)) node = isDirectory(node) ? node.get(part) : undefined;
    return node;
  }

  /** The directory of such a path, made where it is missing. */
  #directoryOf(parts: readonly string[]): Directory | undefined {
    let directory = this.#root;
    for (const part of parts) {
      let next = directory.get(part);
      if (next === undefined) {
        this.#space.hold(nodeBytes + part.length);
        directory.set(part, (next = new Map()));
      }
      if (!isDirectory(next)) return undefined;
      directory = next;
    }
    return directory;
  }

  /** The file of such a path, made where it is missing. */
  #fileAt(path: string): File | FileProblem {
    const parts = partsOf(path);
    const name = parts.pop();
    const directory = this.#directoryOf(parts);
    if (!directory) return "Not a directory";
    if (name === undefined) return "Is a directory";
    const known = directory.get(name);
    if (isDirectory(known)) return "Is a directory";
    if (known) return known;
    this.#space.hold(nodeBytes + name.length);
    const file: File = { bytes: new Uint8Array(), length: 0, mode: newFileMode };
    directory.set(name, file);
    return file;
  }

  /** Gives a file room for so many bytes; twice as many where it grows, so that appending is not copying. */
  #grow(file: File, length: number): void {
    if (length <= file.bytes.length) return;
    const capacity = file.length === 0 ? length : Math.max(length, Math.min(file.bytes.length * 2, length + 64 * 1024));
    this.#space.hold(capacity - file.bytes.length);
    const bytes = new Uint8Array(capacity);
    bytes.set(file.bytes.subarray(0, file.length));
    file.bytes = bytes;
  }

  #free(name: string, node: File | Directory): void {
    this.#space.release(nodeBytes + name.length);
    if (isDirectory(node)) {
      for (const [inner, each] of node) this.#free(inner, each);
      return;
    }
    this.#space.release(node.bytes.length);
    this.#size -= node.length;
  }

  #change(path: string, change: () => FileProblem | undefined): FileProblem | undefined {
    if (path.length >= maxPath) return "File name too long";
    try {
      return change();
    } catch (error) {
      if (error instanceof OverBudget) return "No space left on device";
      throw error;
    }
  }
}

/** Files that somebody else writes. */
export function readOnlyTree(
  files: () => ReadonlyMap<string, Uint8Array>,
  modeOf: (path: string) => number = () => newFileMode,
): FileTree {
  const refuse = (): FileProblem => "Read-only file system";
  return {
    read: (path) => files().get(path),
    write: refuse,
    append: refuse,
    remove: () => false,
    makeDirectory: refuse,
    isDirectory: (path) => path === "" || hasBelow(files().keys(), path),
    list: (path) => namesBelow(files().keys(), path),
    mode: (path) => (files().has(path) ? modeOf(path) : undefined),
    setMode: refuse,
    size: 0, // not the pod's
    discard() {},
  };
}

/** Files that have what a program does again already: what it then changes is not changed twice. */
export function replayedTree(tree: FileTree, isReplaying: () => boolean): FileTree {
  const unless = (change: () => FileProblem | undefined) => (isReplaying() ? undefined : change());
  return {
    read: (path) => tree.read(path),
    write: (path, content) => unless(() => tree.write(path, content)),
    append: (path, content) => unless(() => tree.append(path, content)),
    remove: (path) => isReplaying() || tree.remove(path),
    makeDirectory: (path) => unless(() => tree.makeDirectory(path)),
    isDirectory: (path) => tree.isDirectory(path),
    list: (path) => tree.list(path),
    mode: (path) => tree.mode(path),
    setMode: (path, mode) => unless(() => tree.setMode(path, mode)),
    get size() {
      return tree.size;
    },
    discard: () => tree.discard(),
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
