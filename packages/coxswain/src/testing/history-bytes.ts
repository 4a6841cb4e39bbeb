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

/** A block: 52 bytes with the length of its body at 4 and the number of its hashes at 12, hashes of four bytes, body. */
function inflated(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at + 52 <= bytes.length; ) {
    const body = at + 52 + bytes.readUInt32LE(at + 12) * 4;
    const end = body + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) break; // a kill ended the last append
    text += inflateRawSync(bytes.subarray(body, end)).toString("latin1");
    at = end;
  }
  return text;
}
