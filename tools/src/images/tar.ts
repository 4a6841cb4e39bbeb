import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** What a layer holds; paths are relative, without a leading slash. */
export type TarEntry =
  | { readonly kind: "directory"; readonly path: string; readonly mode?: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "file"; readonly path: string; readonly mode?: number; readonly content: string | Uint8Array }
  /** A file of this machine. */
  | { readonly kind: "copy"; readonly path: string; readonly mode?: number; readonly source: string };

const block = 512;
/** Of the type flag in a header (POSIX.1-1988, ustar). */
const flagOf = { file: "0", copy: "0", link: "2", directory: "5" } as const;
const defaultModes = { file: 0o644, copy: 0o755, link: 0o777, directory: 0o755 } as const;

/** A tar archive in the ustar form: owner root, time zero, so that equal entries are equal bytes. */
export async function* tarChunks(entries: readonly TarEntry[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    const size = await sizeOf(entry);
    yield headerOf(entry, size);
    if (entry.kind === "file") yield Buffer.from(entry.content);
    if (entry.kind === "copy") yield* createReadStream(entry.source) as AsyncIterable<Uint8Array>;
    yield Buffer.alloc((block - (size % block)) % block);
  }
  yield Buffer.alloc(2 * block);
}

async function sizeOf(entry: TarEntry): Promise<number> {
  if (entry.kind === "file") return Buffer.byteLength(entry.content);
  return entry.kind === "copy" ? (await stat(entry.source)).size : 0;
}

function headerOf(entry: TarEntry, size: number): Uint8Array {
  const header = Buffer.alloc(block);
  const text = (value: string, at: number, length: number, what: string): void => {
    if (Buffer.byteLength(value) > length) throw new Error(`${what} ${value} is longer than a tar header allows`);
    header.write(value, at);
  };
  const octal = (value: number, at: number, length: number): void =>
    void header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  const mode = entry.kind === "link" ? undefined : entry.mode;
  text(entry.kind === "directory" ? `${entry.path}/` : entry.path, 0, 100, "the path");
  octal(mode ?? defaultModes[entry.kind], 100, 8);
  octal(0, 108, 8); // owner
  octal(0, 116, 8); // group
  octal(size, 124, 12);
  octal(0, 136, 12); // time of change
  header.write("        ", 148); // the checksum counts itself as spaces
  header.write(flagOf[entry.kind], 156);
  if (entry.kind === "link") text(entry.target, 157, 100, "the target");
  header.write("ustar", 257);
  header.write("00", 263); // its version
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
