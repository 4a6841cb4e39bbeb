import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { KeyRecord } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import {
  type BackupHeader,
  backupFormat,
  decodeRecord,
  digestBytes,
  lengthsOf,
  maxHeaderBytes,
  recordHeadBytes,
} from "./backup-format.js";
import { readThrough } from "./read-through.js";

/** A backup that is known to be whole. */
export interface OpenBackup {
  readonly header: BackupHeader;
  /** In key order. */
  records(): AsyncIterable<KeyRecord>;
  /** Where each record lies, to read them in another order. */
  readonly places: readonly RecordPlace[];
  read(place: RecordPlace): Promise<KeyRecord>;
  close(): Promise<void>;
}

export interface RecordPlace {
  readonly revision: number;
  readonly at: number;
  readonly length: number;
}

/** Opens a backup and reads it through once to see that it is whole. @throws StoreError "unreadable" */
export async function openBackup(path: string): Promise<OpenBackup> {
  const file = await open(path, "r");
  try {
    const { header, places } = await check(file, path);
    const read = async ({ at, length }: RecordPlace): Promise<KeyRecord> => {
      const bytes = Buffer.allocUnsafe(length);
      await file.read(bytes, 0, length, at);
      return decodeRecord(bytes);
    };
    async function* records(): AsyncGenerator<KeyRecord, void> {
      for (const place of places) yield await read(place);
    }
    return { header, places, read, records, close: () => file.close() };
  } catch (err) {
    await file.close();
    throw err;
  }
}

async function check(file: FileHandle, path: string): Promise<{ header: BackupHeader; places: RecordPlace[] }> {
  const bad = (why: string): StoreError => new StoreError("unreadable", `${path} cannot be restored: ${why}`);
  const { size } = await file.stat();
  const reader = readThrough(file, size);
  const digest = createHash("sha256");
  const take = async (length: number): Promise<Buffer> => {
    const bytes = await reader.take(length);
    if (bytes === undefined) throw bad("it is cut off");
    digest.update(bytes);
    return bytes;
  };
  const line = await reader.line(maxHeaderBytes);
  if (line === undefined) throw bad("it is not a backup");
  digest.update(line);
  const header = parseHeader(line);
  if (header === undefined) throw bad("it is not a backup");
  if (header.format > backupFormat)
    throw bad(`it has format ${header.format}, and this version knows formats up to ${backupFormat}`);
  const places: RecordPlace[] = [];
  for (;;) {
    const at = reader.position();
    const head = Buffer.from(await take(recordHeadBytes));
    const lengths = lengthsOf(head);
    if (lengths === undefined) break;
    await take(lengths.keyLength + lengths.valueLength);
    places.push({
      revision: head.readUIntLE(8, 6),
      at,
      length: recordHeadBytes + lengths.keyLength + lengths.valueLength,
    });
  }
  const expected = digest.digest();
  const found = await reader.take(digestBytes);
  if (found === undefined || !expected.equals(found) || reader.position() !== size)
    throw bad("it is damaged: its checksum does not fit");
  if (places.length !== header.keys) throw bad(`it has ${places.length} records instead of ${header.keys}`);
  return { header, places };
}

function parseHeader(line: Buffer): BackupHeader | undefined {
  try {
    const header = JSON.parse(line.toString()) as BackupHeader;
    return header.backup === "coxswain" ? header : undefined;
  } catch {
    return undefined; // not JSON: not a backup
  }
}
