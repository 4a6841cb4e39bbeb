import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { FlagError } from "@coxswain/component/flags";

/** Undefined where the system has no such thing (Windows): its files belong to nobody. */
const ownUser = (): number | undefined => process.geteuid?.();

/**
 * Refuses a cluster's folder that anybody else may write to. Its files name a process to stop, a file to append to and the keys of the
 * cluster; who can write them there chooses those. A folder that is not there yet is made for its owner alone.
 * @throws FlagError
 */
export function checkFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const problem = problemOf(found, ownUser());
  if (problem !== undefined)
    throw new FlagError(
      `the folder ${folder} ${problem}: its files decide which process is stopped. Name another one with --data-dir, for example one below it`,
    );
}

/** What is wrong with who may write there; undefined: nothing. */
export function problemOf({ uid, mode }: Pick<Stats, "uid" | "mode">, user: number | undefined): string | undefined {
  if (user === undefined) return undefined;
  if (uid !== user) return `belongs to another user (${uid})`;
  if ((mode & 0o022) !== 0)
    return `may be written to by others (mode ${(mode & 0o777).toString(8)}; "chmod go-w" ends that)`;
  return undefined;
}

/** Opens a file in a cluster's folder, but nothing behind a link. @throws FlagError for a link */
export function openInFolder(file: string, flags: number): number {
  try {
    return openSync(file, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ELOOP")
      throw new FlagError(`${file} is a symbolic link, and nothing of ours: delete it`);
    throw err;
  }
}

/** Undefined when it is not there. A link, or a file of somebody else's, is refused. @throws FlagError */
export function readOwnFile(file: string): string | undefined {
  let opened: number;
  try {
    opened = openInFolder(file, constants.O_RDONLY);
  } catch (err) {
    if (["ENOENT", "ENOTDIR"].includes((err as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw err;
  }
  try {
    const problem = problemOf(fstatSync(opened), ownUser());
    if (problem !== undefined) throw new FlagError(`${file} ${problem}: delete it`);
    return readFileSync(opened, "utf8");
  } finally {
    closeSync(opened);
  }
}
