import { mkdir, rm } from "node:fs/promises";

/** Directories of this machine that serve as volumes, for development on a single node. */
export interface HostPaths {
  create(path: string): Promise<void>;
  /** With all that is in it. One that is not there is no error. */
  remove(path: string): Promise<void>;
}

export const hostPathsOfThisMachine: HostPaths = {
  create: async (path) => void (await mkdir(path, { recursive: true, mode: 0o750 })),
  remove: (path) => rm(path, { recursive: true, force: true }),
};
