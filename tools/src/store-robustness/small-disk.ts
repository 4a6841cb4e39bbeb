import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const size = "96m";
const block = Buffer.alloc(64 * 1024);

/** A disk in memory that can be full. Needs root. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  free(): void;
  /** Takes it away with all that is on it. */
  remove(): void;
}

export function makeSmallDisk(folder: string): SmallDisk {
  mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder]);
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      const file = openSync(filler, "w");
      try {
        for (let rest = block; rest.length > 0; ) {
          try {
            writeSync(file, rest);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
            rest = rest.subarray(0, rest.length >> 1);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync("umount", [folder]),
  };
}
