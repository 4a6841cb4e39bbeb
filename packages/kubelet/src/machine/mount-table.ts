/** One line of /proc/self/mountinfo: something mounted. */
export interface MountEntry {
  /** Where, as this process sees it. */
  readonly target: string;
  /** What of the file system is seen there; not `/` for a bind mount of a part. */
  readonly root: string;
  /** `major:minor`: equal for all mounts of one file system. */
  readonly device: string;
  readonly fsType: string;
  /** Per-mount options and those of the file system. */
  readonly options: readonly string[];
}

/** Pure: what is mounted, in the order of mounting. The fields: proc_pid_mountinfo(5). */
export function parseMountInfo(text: string): MountEntry[] {
  const entries: MountEntry[] = [];
  for (const line of text.split("\n")) {
    const separator = line.indexOf(" - ");
    if (separator < 0) continue;
    const [, , device = "", root = "", target = "", options = ""] = line.slice(0, separator).split(" ");
    const [fsType = "", , superOptions = ""] = line.slice(separator + 3).split(" ");
    entries.push({
      target: unescapeOctal(target),
      root: unescapeOctal(root),
      device,
      fsType,
      options: [...options.split(","), ...superOptions.split(",")],
    });
  }
  return entries;
}

/** Spaces, tabs, newlines and backslashes are written as `\040`. */
const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Pure: what is mounted at the path; the last one hides those before it. */
export const mountAt = (table: readonly MountEntry[], path: string): MountEntry | undefined =>
  table.findLast(({ target }) => target === path);

/** Pure: mounts at the directory or below it, in the order to unmount them: the last first. */
export const mountsBeneath = (table: readonly MountEntry[], directory: string): MountEntry[] =>
  table.filter(({ target }) => target === directory || target.startsWith(`${directory}/`)).toReversed();
