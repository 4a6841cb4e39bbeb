import type { FileTree } from "../../languages/shell/file-tree.js";
import type { VolumeRecord } from "./volume-records.js";

interface PendingChange {
  /** What was there at this path has gone before what is there now. */
  wasRemoved: boolean;
  /** Of a file that was only appended to: what the journal has of it already. */
  appendedAt: number | undefined;
}

/**
 * What changed in a volume since its journal was written: one entry by path, whatever a program does in between, so that it takes no
 * more memory than the volume has files.
 */
export class PendingChanges {
  readonly #tree: () => FileTree;
  /** In the order of their last change. */
  #changes = new Map<string, PendingChange>();
  /** Lengths of files as the journal has them. */
  readonly #written = new Map<string, number>();

  constructor(tree: () => FileTree) {
    this.#tree = tree;
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  note(path: string, change: "written" | "appended" | "removed"): void {
    const known = this.#changes.get(path);
    const wasRemoved = change === "removed" || (known?.wasRemoved ?? false);
    const isOnlyAppended = change === "appended" && !wasRemoved && (!known || known.appendedAt !== undefined);
    this.#changes.delete(path);
    this.#changes.set(path, { wasRemoved, appendedAt: isOnlyAppended ? this.#written.get(path) : undefined });
    if (change === "removed") this.#forgetBelow(path);
  }

  #forgetBelow(path: string): void {
    for (const each of this.#written.keys())
      if (each === path || each.startsWith(`${path}/`)) this.#written.delete(each);
  }

  /** What the journal lacks; nothing is pending afterwards. Contents are the tree's own bytes: they are to be copied at once. */
  take(): VolumeRecord[] {
    const changes = this.#changes;
    this.#changes = new Map();
    return [...changes].flatMap(([path, change]) => this.#recordsOf(path, change));
  }

  #recordsOf(path: string, { wasRemoved, appendedAt }: PendingChange): VolumeRecord[] {
    const tree = this.#tree();
    const content = tree.read(path);
    const removal: VolumeRecord[] = wasRemoved ? [{ op: "remove", path }] : [];
    if (!content) return tree.isDirectory(path) ? [...removal, { op: "directory", path }] : removal;
    this.#written.set(path, content.length);
    const mode = tree.mode(path) ?? 0;
    if (appendedAt !== undefined && appendedAt <= content.length)
      return [{ op: "append", path, mode, content: content.subarray(appendedAt) }];
    return [...removal, { op: "write", path, mode, content }];
  }
}
