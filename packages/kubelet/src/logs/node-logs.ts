import { lstat, mkdir, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { CachedPod } from "../objects/cached-pod.js";
import { containerLogName, logLinkName, podLogDirectory, uidOfLogDirectory } from "./log-path.js";
import { rotatedFiles } from "./rotate-log.js";

/** One run of a container, for its log. */
export interface LoggedRun {
  readonly pod: CachedPod;
  readonly container: string;
  readonly id: string;
  readonly attempt: number;
}

/** Where the logs of a node's containers are, and the links to them that log collectors follow. */
export interface NodeLogs {
  pathOf(run: Omit<LoggedRun, "id">): string;
  /** Makes the directory of a container's logs, and returns that of its pod. */
  prepare(pod: CachedPod, container: string): Promise<string>;
  /** The container was started: the link to its log. */
  link(run: LoggedRun): Promise<void>;
  /** The run was removed: its log, what was rotated of it, and the link. */
  remove(run: LoggedRun): Promise<void>;
  /** What the logs of all runs of a container use of the disk; one that has none uses nothing. */
  usage(pod: CachedPod, container: string): Promise<{ readonly usedBytes: number; readonly inodes: number }>;
  /** Pods that have a directory of logs. */
  podUids(): Promise<readonly string[]>;
  removePod(uid: string): Promise<void>;
  /** Removes links whose log is gone. */
  sweepLinks(): Promise<void>;
}

export function createNodeLogs({
  podLogsDirectory: root,
  linksDirectory,
}: {
  /** Upstream's /var/log/pods. */
  readonly podLogsDirectory: string;
  /** Upstream's /var/log/containers. */
  readonly linksDirectory: string;
}): NodeLogs {
  const pathOf = ({ pod, container, attempt }: Omit<LoggedRun, "id">): string =>
    join(podLogDirectory(root, pod), containerLogName(container, attempt));
  const linkOf = ({ pod, container, id }: LoggedRun): string => join(linksDirectory, logLinkName(pod, container, id));
  const directories = (): Promise<string[]> => readdir(root).catch(() => []);
  return {
    pathOf,
    async prepare(pod, container) {
      const directory = podLogDirectory(root, pod);
      await mkdir(join(directory, container), { recursive: true, mode: 0o755 });
      return directory;
    },
    async link(run) {
      await mkdir(linksDirectory, { recursive: true, mode: 0o755 });
      await rm(linkOf(run), { force: true });
      await symlink(pathOf(run), linkOf(run));
    },
    async remove(run) {
      const path = pathOf(run);
      for (const file of [...(await rotatedFiles(path)), path, linkOf(run)]) await rm(file, { force: true });
    },
    usage: (pod, container) => diskUse(join(podLogDirectory(root, pod), container)),
    podUids: async () => (await directories()).map(uidOfLogDirectory),
    async removePod(uid) {
      for (const name of await directories())
        if (uid !== "" && uidOfLogDirectory(name) === uid) await rm(join(root, name), { recursive: true, force: true });
    },
    async sweepLinks() {
      for (const name of await readdir(linksDirectory).catch(() => [])) {
        const link = join(linksDirectory, name);
        // Only links of ours: those that lead to logs of pods.
        const target = await readlink(link).catch(() => undefined);
        if (!target?.startsWith(`${root}/`)) continue;
        if (!(await stat(link).catch(() => undefined))) await rm(link, { force: true });
      }
    },
  };
}

/** Blocks of `stat` are of this size, whatever the file system's are. */
const blockBytes = 512;

/** Of the files of one directory: rotation keeps them few. Links are not followed. */
async function diskUse(directory: string): Promise<{ readonly usedBytes: number; readonly inodes: number }> {
  const names = await readdir(directory).catch(() => []);
  const found = await Promise.all(names.map((name) => lstat(join(directory, name)).catch(() => undefined)));
  const files = found.filter((stats) => stats !== undefined);
  return { usedBytes: files.reduce((sum, { blocks }) => sum + blocks * blockBytes, 0), inodes: files.length };
}
