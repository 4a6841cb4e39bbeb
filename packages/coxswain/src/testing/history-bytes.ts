import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

/**
 * All that is in the files of a history, as it lies there and inflated, as Latin-1. Reads the blocks by itself: what is searched for must
 * not hide behind the code that is tested.
 */
export const historyBytes = (directory: string): string =>
  readdirSync(directory)
    .map((name) => {
      const bytes = readFileSync(join(directory, name));
      return bytes.toString("latin1") + (name.endsWith(".log") ? inflated(bytes) : "");
    })
    .join("\n");

/**
 * A block: 58 bytes with the length of its body at 4, the number of its hashes at 12 and at 52 how far before it the block begins whose
 * last 16 KiB it was deflated against (0: none); hashes of four bytes, body.
 */
function inflated(bytes: Buffer): string {
  const blocks = new Map<number, Buffer>();
  for (let at = 0; at + 58 <= bytes.length; ) {
    const body = at + 58 + bytes.readUInt32LE(at + 12) * 4;
    const end = body + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) break; // a kill ended the last append
    const distance = bytes.readUIntLE(at + 52, 6);
    const base = distance === 0 ? undefined : blocks.get(at - distance)!.subarray(-16 * 1024);
    blocks.set(at, inflateRawSync(bytes.subarray(body, end), { ...(base && { dictionary: base }) }));
    at = end;
  }
  return [...blocks.values()].map((block) => block.toString("latin1")).join("");
}
