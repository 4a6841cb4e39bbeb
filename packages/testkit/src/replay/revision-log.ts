import { createHash } from "node:crypto";
import type { LogEntry } from "@coxswain/storage/memory";

/** One line for each change: revision, virtual time, writer, verb, key and a digest of the bytes. Two runs of one seed have equal lines. */
export const revisionLines = (log: readonly LogEntry[]): string[] => log.map(lineOf);

function lineOf({ revision, type, key, value, note }: LogEntry): string {
  const digest = value === undefined ? "-" : createHash("sha256").update(value).digest("hex").slice(0, 16);
  return [revision, note?.time ?? "-", note?.user ?? "-", note?.verb ?? "-", type, key, digest].join(" ");
}
