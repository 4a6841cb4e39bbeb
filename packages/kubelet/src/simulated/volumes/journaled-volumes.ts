import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import type { FileTree } from "../../languages/shell/file-tree.js";
import { PendingChanges } from "./pending-changes.js";
import { type PersistentVolumes, VolumeTrees } from "./persistent-volumes.js";
import { applyRecord, decodeRecord, encodeRecord, type VolumeRecord } from "./volume-records.js";

export interface JournaledVolumesOptions {
  readonly runtime: Runtime;
  /** Of this machine; made where it is missing. */
  readonly directory: string;
}

interface Journal {
  readonly path: string;
  readonly changes: PendingChanges;
  file: FileHandle;
  bytes: number;
  writing: Promise<void> | undefined;
}

/** A journal is written anew when it is this much longer than what it describes. */
const slackBytes = 1024 * 1024;

/** Names of volumes are those of objects: without a slash. */
const fileOf = (directory: string, name: string): string => join(directory, `${name}.volume`);

/**
 * Volumes that a process finds again: their files are in memory, and each has a journal of changes on disk, written in the background
 * as changes come. What a process that is killed had not written yet is lost, as the page cache of a machine without power.
 */
export function createJournaledVolumes({ runtime, directory }: JournaledVolumesOptions): PersistentVolumes {
  const trees = new VolumeTrees();
  const journals = new Map<string, Promise<Journal>>();

  async function openJournal(name: string): Promise<Journal> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = fileOf(directory, name);
    const old = await readFile(path).catch(ignoreMissing);
    const changes = new PendingChanges(() => trees.get(name));
    let isReplaying = true;
    const tree = trees.add(name, {
      changed(at, change) {
        if (isReplaying) return;
        changes.note(at, change);
        write(name);
      },
    });
    const bytes = await replay(runtime, tree, old ?? new Uint8Array());
    isReplaying = false;
    const file = await open(path, "a", 0o600);
    await file.truncate(bytes);
    return { path, changes, file, bytes, writing: undefined };
  }

  /** Begins to write what is pending, unless that is under way. */
  function write(name: string): void {
    void journals.get(name)?.then((journal) => {
      journal.writing ??= writeAll(name, journal)
        .catch((error: unknown) => runtime.log.error("files of a simulated volume were not written", { name, error }))
        .finally(() => (journal.writing = undefined));
    });
  }

  async function writeAll(name: string, journal: Journal): Promise<void> {
    while (!journal.changes.isEmpty) {
      const tree = trees.get(name);
      const bytes = Buffer.concat(journal.changes.take().flatMap(encodeRecord));
      await journal.file.appendFile(bytes);
      journal.bytes += bytes.length;
      if (journal.bytes > 2 * tree.size + slackBytes) await rewrite(journal, tree);
    }
  }

  return {
    async open(name, capacityBytes) {
      let opened = journals.get(name);
      if (!opened) {
        journals.set(name, (opened = openJournal(name)));
        opened.catch(() => journals.delete(name));
      }
      await opened;
      trees.resize(name, capacityBytes);
    },
    tree: (name) => trees.get(name),
    async remove(name) {
      const journal = await journals.get(name)?.catch(() => undefined);
      journals.delete(name);
      await journal?.writing;
      await journal?.file.close();
      trees.remove(name);
      await rm(fileOf(directory, name), { force: true });
    },
    async stop() {
      for (const opened of journals.values()) {
        const journal = await opened.catch(() => undefined);
        await journal?.writing;
        await journal?.file.close();
      }
      for (const name of journals.keys()) trees.remove(name);
      journals.clear();
    },
  };
}

/** Brings a tree to where its journal ends; returns how much of it was whole. */
async function replay({ scheduler }: Runtime, tree: FileTree, journal: Uint8Array): Promise<number> {
  let offset = 0;
  for (let read = decodeRecord(journal, 0); read; read = decodeRecord(journal, offset)) {
    applyRecord(tree, read.record);
    const pause = scheduler.yield(20 + (read.next - offset) / 1000);
    if (pause) await pause;
    offset = read.next;
  }
  return offset;
}

/** The journal of a tree as it is, in place of the old one. */
async function rewrite(journal: Journal, tree: FileTree): Promise<void> {
  // What is pending is in the tree, and must not be appended to it a second time.
  journal.changes.take();
  const bytes = Buffer.concat([...recordsOf(tree, "")].flatMap(encodeRecord));
  const fresh = `${journal.path}.new`;
  const file = await open(fresh, "w", 0o600);
  await file.appendFile(bytes);
  await rename(fresh, journal.path);
  await journal.file.close();
  journal.file = file;
  journal.bytes = bytes.length;
}

function* recordsOf(tree: FileTree, directory: string): Generator<VolumeRecord> {
  for (const name of tree.list(directory)) {
    const path = directory === "" ? name : `${directory}/${name}`;
    const content = tree.read(path);
    if (content) yield { op: "write", path, mode: tree.mode(path) ?? 0, content };
    else {
      yield { op: "directory", path };
      yield* recordsOf(tree, path);
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
