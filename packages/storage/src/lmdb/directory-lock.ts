import { readFileSync, readlinkSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { StoreError } from "../contract/store-error.js";

/** Who holds a directory. `started` and `namespace` distinguish a process from a later one that got the same number. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** A process number means something only in its namespace; empty where there is no such thing. */
  readonly namespace: string;
  readonly started: string;
  readonly token: string;
}

export interface DirectoryLock {
  release(): Promise<void>;
}

let locks = 0;

/** Holds the directory for this process until released or until the process ends. @throws StoreError "unavailable" that names the holder */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const file = join(directory, "lock");
  const me: Holder = {
    pid: process.pid,
    host: hostname(),
    namespace: namespaceOf(),
    started: startOf(process.pid),
    token: `${process.pid}-${startOf(process.pid)}-${++locks}`,
  };
  const mine = `${file}.${me.token}`;
  await writeFile(mine, JSON.stringify(me), { mode: 0o600 });
  try {
    for (;;) {
      if (await tryLink(mine, file)) break;
      const holder = await readHolder(file);
      if (holder === undefined) continue;
      if (isAlive(holder)) throw inUse(directory, holder);
      if (await takeOver(file, mine, holder)) break;
    }
  } finally {
    await rm(mine, { force: true });
  }
  return {
    async release() {
      if ((await readHolder(file))?.token === me.token) await rm(file, { force: true });
    },
  };
}

/**
 * Replaces the lock of a process that has died. Only one can make the claim on that very lock, and it looks again once it has
 * made it, so two that come at once cannot both win.
 */
async function takeOver(file: string, mine: string, dead: Holder): Promise<boolean> {
  const claim = `${file}.after-${dead.token}`;
  if (!(await tryLink(mine, claim))) {
    const claimant = await readHolder(claim);
    if (claimant !== undefined && isAlive(claimant)) throw inUse(file, claimant);
    await rm(claim, { force: true });
    return false;
  }
  try {
    if ((await readHolder(file))?.token !== dead.token) return false;
    // The claim goes with it: a hard link to `mine` replaced by renaming a copy of it.
    await writeFile(`${mine}.next`, await readFile(mine), { mode: 0o600 });
    await rename(`${mine}.next`, file);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw err;
  }
}

/** undefined: it has gone meanwhile. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Holder;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StoreError(
      "unreadable",
      `${file} is not a lock of this program; if no other process uses the directory, remove it`,
      { cause: err },
    );
  }
}

function isAlive({ pid, host, namespace, started }: Holder): boolean {
  // Another machine's or container's process cannot be looked up from here: it is taken for alive, and the message has what to do.
  if (host !== hostname() || namespace !== namespaceOf()) return true;
  try {
    process.kill(pid, 0);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const { state, start } = statOf(pid);
  // A zombie has ended, and its files are closed: its parent only has not asked yet how (containers without an init, test harnesses).
  return start === started && !ended.has(state);
}

/** States of proc(5): zombie, and dead in its two spellings. */
const ended = new Set(["Z", "X", "x"]);

function inUse(directory: string, { pid, host, namespace }: Holder): StoreError {
  const here = host === hostname() && namespace === namespaceOf();
  const who = here
    ? pid === process.pid
      ? `this process (pid ${pid}) has it open already`
      : `the process with pid ${pid} has it open`
    : `the process with pid ${pid} on ${host} had it open last, and whether it still runs cannot be seen from here`;
  const advice = here ? "Stop that one first" : `If it has ended, remove ${join(directory, "lock")}`;
  return new StoreError("unavailable", `the store in ${directory} is in use: ${who}. ${advice}`);
}

function namespaceOf(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

const startOf = (pid: number): string => statOf(pid).start;

/** The kernel's record of a process: its state, and when it began, as it counts it; empty where that cannot be read. */
function statOf(pid: number): { state: string; start: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may contain spaces and brackets; the fields are counted behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return { state: "", start: "" };
  }
}
