import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Small files of /proc, /sys and /etc, which may be missing. */
export interface KernelFiles {
  read(path: string): Promise<string>;
  /** The content of the first file that is there and not empty, without spaces around it. */
  readFirst(paths: readonly string[]): Promise<string | undefined>;
  /** Undefined where there is no such file, or no number in it. */
  readNumber(path: string): Promise<number | undefined>;
  /** Names in a directory; none where there is no such directory. */
  list(path: string): Promise<string[]>;
}

export function kernelFiles(root: string): KernelFiles {
  const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");
  const readFirst = async (paths: readonly string[]): Promise<string | undefined> => {
    for (const path of paths) {
      // Files of the device tree end in a zero byte.
      const text = (await read(path).catch(() => "")).replaceAll("\0", "").trim();
      if (text !== "") return text;
    }
    return undefined;
  };
  return {
    read,
    readFirst,
    async readNumber(path) {
      const text = await readFirst([path]);
      return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
    },
    list: (path) => readdir(join(root, path)).catch(() => []),
  };
}
