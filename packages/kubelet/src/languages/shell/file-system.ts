import { type FileTree, maxPath } from "./file-tree.js";

export interface MountedTree {
  /** Absolute, without a slash at its end. */
  readonly path: string;
  readonly tree: FileTree;
  /** The part of the tree that is mounted: a directory, or one file. */
  readonly subPath: string;
  readonly readOnly: boolean;
}

/** What the processes of one container see: files of its own, and mounts. Paths are absolute or relative to a directory. */
export interface FileSystem extends Omit<FileTree, "size" | "discard"> {
  /** Whether a file that is not there may be one of the image, of which there are none here: what volumes and /tmp have is known. */
  mayBeOfImage(path: string): boolean;
}

/** @param root files outside of all mounts */
export function createFileSystem(mounts: readonly MountedTree[], root: FileTree): FileSystem {
  // The deepest mount wins.
  const ordered = [...mounts].sort((a, b) => b.path.length - a.path.length);
  const find = (path: string): { tree: FileTree; inner: string; readOnly: boolean } => {
    for (const { path: at, tree, subPath, readOnly } of ordered) {
      if (path !== at && !path.startsWith(`${at}/`)) continue;
      return { tree, inner: joinInner(subPath, path.slice(at.length + 1)), readOnly };
    }
    return { tree: root, inner: path.slice(1), readOnly: false };
  };
  for (const directory of ["tmp", "bin", "etc", "dev", "var"]) root.makeDirectory(directory);
  return {
    mayBeOfImage: (path) => find(path).tree === root && !path.startsWith("/tmp/"),
    read(path) {
      const { tree, inner } = find(path);
      return tree.read(inner);
    },
    write(path, content) {
      if (path === "/dev/null") return undefined;
      const { tree, inner, readOnly } = find(path);
      return readOnly ? "Read-only file system" : tree.write(inner, content);
    },
    append(path, content) {
      if (path === "/dev/null") return undefined;
      const { tree, inner, readOnly } = find(path);
      return readOnly ? "Read-only file system" : tree.append(inner, content);
    },
    remove(path) {
      const { tree, inner, readOnly } = find(path);
      return !readOnly && tree.remove(inner);
    },
    makeDirectory(path) {
      const { tree, inner, readOnly } = find(path);
      return readOnly ? "Read-only file system" : tree.makeDirectory(inner);
    },
    mode(path) {
      const { tree, inner } = find(path);
      return tree.mode(inner);
    },
    setMode(path, mode) {
      const { tree, inner, readOnly } = find(path);
      return readOnly ? "Read-only file system" : tree.setMode(inner, mode);
    },
    isDirectory(path) {
      const { tree, inner } = find(path);
      return path === "/" || tree.isDirectory(inner);
    },
    list(path) {
      const { tree, inner } = find(path);
      const names = new Set(tree.list(inner));
      const prefix = path === "/" ? "/" : `${path}/`;
      for (const { path: at } of ordered)
        if (at.startsWith(prefix)) names.add(at.slice(prefix.length).split("/", 1)[0] as string);
      return [...names].sort();
    },
  };
}

const joinInner = (subPath: string, rest: string): string =>
  subPath === "" ? rest : rest === "" ? subPath : `${subPath}/${rest}`;

/** An absolute path without `.`, `..` and doubled slashes. */
export function resolvePath(path: string, directory: string): string {
  // Longer paths name nothing; they are not taken apart.
  if (path.length + directory.length > maxPath) return `/${path.slice(0, maxPath)}`;
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${directory}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
