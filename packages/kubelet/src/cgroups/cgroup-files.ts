import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";

/** The file system of control groups; tests give a directory of ordinary files. */
export interface CgroupFiles {
  read(path: string): Promise<string>;
  /** Only to a file that is there: the kernel makes them. */
  write(path: string, value: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  /** The kernel removes the files of a group with it. */
  removeDirectory(path: string): Promise<void>;
  /** Names of the groups within one; none where it is not there. */
  children(path: string): Promise<string[]>;
  kill(pid: number): void;
}

export const cgroupFiles: CgroupFiles = {
  read: (path) => readFile(path, "utf8"),
  write: (path, value) => writeFile(path, value, { flag: "r+" }),
  makeDirectory: (path) =>
    mkdir(path, { mode: 0o755 }).then(
      () => {},
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    ),
  removeDirectory: (path) =>
    rmdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    }),
  async children(path) {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  },
  kill(pid) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  },
};
