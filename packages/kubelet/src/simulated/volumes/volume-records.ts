import type { FileTree } from "../../languages/shell/file-tree.js";

/**
 * One change of a volume's files, as its journal has it: a line of JSON, then so many bytes, then a newline. Paths are texts of the line
 * and never paths of this machine.
 */
export type VolumeRecord =
  | { readonly op: "write" | "append"; readonly path: string; readonly mode: number; readonly content: Uint8Array }
  | { readonly op: "directory" | "remove"; readonly path: string };

const newline = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export function encodeRecord(record: VolumeRecord): Uint8Array[] {
  if (!("content" in record))
    return [encoder.encode(`${JSON.stringify({ op: record.op, path: record.path, size: 0 })}\n\n`)];
  const { op, path, mode, content } = record;
  const line = JSON.stringify({ op, path, mode, size: content.length });
  return [encoder.encode(`${line}\n`), content, encoder.encode("\n")];
}

/** A line is a path of 4,096 characters at most, each at most six bytes in JSON, and some numbers. */
const longestLine = 64 * 1024;

/** The record that begins at an offset; undefined: the journal ends there, or what follows was not written to its end. */
export function decodeRecord(journal: Uint8Array, offset: number): { record: VolumeRecord; next: number } | undefined {
  const end = journal.subarray(offset, offset + longestLine).indexOf(newline);
  if (end < 0) return undefined;
  const start = offset + end + 1;
  const header = readHeader(journal.subarray(offset, start - 1));
  if (!header || journal[start + header.size] !== newline) return undefined;
  const { op, path, mode, size } = header;
  const next = start + size + 1;
  if (op === "directory" || op === "remove") return { record: { op, path }, next };
  return { record: { op, path, mode, content: journal.subarray(start, start + size) }, next };
}

interface Header {
  readonly op: VolumeRecord["op"];
  readonly path: string;
  readonly mode: number;
  readonly size: number;
}

function readHeader(line: Uint8Array): Header | undefined {
  let read: Partial<Header> | null;
  try {
    read = JSON.parse(decoder.decode(line)) as Partial<Header> | null;
  } catch {
    return undefined; // cut off in the middle
  }
  const { op, path, mode = 0, size } = read ?? {};
  const isKnown = op === "write" || op === "append" || op === "directory" || op === "remove";
  if (!isKnown || typeof path !== "string" || typeof mode !== "number") return undefined;
  return Number.isSafeInteger(size) && (size as number) >= 0 ? { op, path, mode, size: size as number } : undefined;
}

/** Brings a tree to where the record left it. */
export function applyRecord(tree: FileTree, record: VolumeRecord): void {
  switch (record.op) {
    case "remove":
      tree.remove(record.path);
      return;
    case "directory":
      tree.makeDirectory(record.path);
      return;
    case "append":
      tree.append(record.path, record.content);
      return;
    case "write":
      tree.write(record.path, record.content);
      tree.setMode(record.path, record.mode);
  }
}
