import {
  createDisk,
  createFileTree,
  type FileTree,
  type FileTreeOptions,
  type MemoryFileTree,
} from "../../languages/shell/file-tree.js";

/**
 * The files of the persistent volumes of all simulated nodes of a process, by the PersistentVolume's name. They live until `remove`,
 * whatever becomes of pods and nodes.
 */
export interface PersistentVolumes {
  /** The volume's files are there afterwards, and have room for so many bytes. @throws Error where they cannot be read */
  open(name: string, capacityBytes: number): Promise<void>;
  /** The files of a volume that was opened. @throws Error where it was not */
  tree(name: string): FileTree;
  /** Nothing of the volume is left. */
  remove(name: string): Promise<void>;
  /** Resolves when all that was written is where it will be found again. */
  stop(): Promise<void>;
}

/** Files are held in memory while the process runs: a volume has no more than this, whatever its capacity is. */
export const mostVolumeBytes = 64 * 1024 * 1024;

const limitOf = (capacityBytes: number): number => Math.min(capacityBytes, mostVolumeBytes);

/** Trees by name, opened once. */
export class VolumeTrees {
  /** What all volumes have together, in memory. */
  readonly #disk = createDisk();
  readonly #trees = new Map<string, MemoryFileTree>();

  has(name: string): boolean {
    return this.#trees.has(name);
  }

  /** @param options except for its limit */
  add(name: string, options: Pick<FileTreeOptions, "changed"> = {}): MemoryFileTree {
    const tree = createFileTree(this.#disk, { ...options, limitBytes: mostVolumeBytes });
    this.#trees.set(name, tree);
    return tree;
  }

  resize(name: string, capacityBytes: number): void {
    this.#trees.get(name)?.resize(limitOf(capacityBytes));
  }

  /** @throws Error */
  get(name: string): MemoryFileTree {
    const tree = this.#trees.get(name);
    if (!tree) throw new Error(`volume "${name}" was not opened`);
    return tree;
  }

  remove(name: string): void {
    this.#trees.get(name)?.discard();
    this.#trees.delete(name);
  }
}

/** Volumes that end with the process. */
export function createMemoryVolumes(): PersistentVolumes {
  const trees = new VolumeTrees();
  return {
    async open(name, capacityBytes) {
      if (!trees.has(name)) trees.add(name);
      trees.resize(name, capacityBytes);
    },
    tree: (name) => trees.get(name),
    async remove(name) {
      trees.remove(name);
    },
    stop: () => Promise.resolve(),
  };
}
