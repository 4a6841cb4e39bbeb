import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "@coxswain/runtime/clock";
import { checkPayload, type Payload } from "./payload.js";

/** A link to the directory that has the files now. */
const dataName = "..data";
const nextDataName = "..data_tmp";

export interface WriteOptions {
  readonly clock: Clock;
  /** Called once the new files are there and before anybody sees them. */
  setPermissions(): Promise<void>;
}

/**
 * Brings the directory to the payload so that a reader sees all of the old files or all of the new ones: the files are written to a
 * new directory `..<stamp>`, and one rename of the link `..data` publishes them. What users see are links through `..data`. The same
 * names and order as upstream's pkg/volume/util/atomic_writer.go, `Write`, so that a directory that its kubelet left is understood.
 *
 * @returns whether anything changed
 * @throws PayloadError
 */
export async function writeAtomically(directory: string, payload: Payload, options: WriteOptions): Promise<boolean> {
  const wanted = checkPayload(payload);
  const oldName = await currentName(directory);
  const old = oldName === undefined ? undefined : await readTree(join(directory, oldName));
  const isCurrent = old !== undefined && isSame(old, wanted);
  if (!isCurrent) await publish(directory, wanted, options);
  await linkVisible(directory, wanted);
  if (isCurrent) return false;
  const kept = new Set([...wanted.keys()].map(firstName));
  for (const name of new Set([...(old?.keys() ?? [])].map(firstName)))
    if (!kept.has(name)) await rm(join(directory, name), { force: true });
  await removeStale(directory);
  return true;
}

const firstName = (path: string): string => path.split("/", 1)[0] ?? "";

async function currentName(directory: string): Promise<string | undefined> {
  try {
    return await readlink(join(directory, dataName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Files by their paths; undefined where the directory is gone. Modes are not compared, as upstream's (pkg/volume/util/atomic_writer.go, shouldWriteFile): they do not change. */
async function readTree(directory: string): Promise<Map<string, Uint8Array> | undefined> {
  const files = new Map<string, Uint8Array>();
  const read = async (at: string, prefix: string): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) await read(path, `${prefix}${entry.name}/`);
      else files.set(prefix + entry.name, await readFile(path));
    }
  };
  try {
    await read(directory, "");
    return files;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const isSame = (old: ReadonlyMap<string, Uint8Array>, wanted: Payload): boolean =>
  old.size === wanted.size &&
  [...wanted].every(([path, { content }]) => {
    const before = old.get(path);
    return before !== undefined && Buffer.compare(before, content) === 0;
  });

async function publish(directory: string, wanted: Payload, { clock, setPermissions }: WriteOptions): Promise<void> {
  const created = await mkdtemp(join(directory, `..${stampOf(clock.now())}.`));
  try {
    await chmod(created, 0o755);
    await writeFiles(created, wanted);
    await setPermissions();
    const next = join(directory, nextDataName);
    await rm(next, { force: true }); // what a kubelet that died in between left
    await symlink(created.slice(directory.length + 1), next);
    await rename(next, join(directory, dataName));
  } catch (error) {
    await rm(created, { recursive: true, force: true });
    throw error;
  }
}

async function writeFiles(directory: string, wanted: Payload): Promise<void> {
  for (const [path, { content, mode, owner }] of wanted) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o777 });
    await writeFile(file, content, { mode });
    await chmod(file, mode); // whatever the umask
    if (owner !== undefined) await chown(file, owner, -1);
  }
}

async function linkVisible(directory: string, wanted: Payload): Promise<void> {
  const there = new Set(await readdir(directory));
  for (const [path, { owner }] of wanted) {
    const name = firstName(path);
    if (there.has(name)) continue;
    there.add(name);
    await symlink(join(dataName, name), join(directory, name));
    if (owner !== undefined) await lchown(join(directory, name), owner, -1);
  }
}

/** All directories of earlier writes: the one before, and those of writes that a crash interrupted. */
async function removeStale(directory: string): Promise<void> {
  const current = await currentName(directory);
  for (const name of await readdir(directory))
    if (name.startsWith("..") && name !== dataName && name !== current)
      await rm(join(directory, name), { recursive: true, force: true });
}

/** `2006_01_02_15_04_05` in UTC. */
const stampOf = (now: number): string => new Date(now).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "_");
