import type { MessageReader } from "./message-reader.js";

export type Section = "answer" | "authority" | "additional";

/** Where one record is within a message. */
export interface RecordPlace {
  readonly section: Section;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  /** Of the 32 bits of its TTL, for a cache that counts them down. */
  readonly ttlOffset: number;
  /** Of its data, where the reader is now. */
  readonly dataLength: number;
  /** Of its name, for `reader.nameAt`. */
  readonly nameOffset: number;
}

export interface SectionCounts {
  readonly answers: number;
  readonly authorities: number;
  readonly additionals: number;
}

/**
 * Calls `visit` for every record behind the questions, in order, with the reader at its data, and moves the reader behind the last.
 * `visit` may move it. Counts that promise more records than there are octets end with an error at the first one missing.
 */
export function walkRecords(reader: MessageReader, counts: SectionCounts, visit: (record: RecordPlace) => void): void {
  walkSection(reader, "answer", counts.answers, visit);
  walkSection(reader, "authority", counts.authorities, visit);
  walkSection(reader, "additional", counts.additionals, visit);
}

function walkSection(
  reader: MessageReader,
  section: Section,
  count: number,
  visit: (record: RecordPlace) => void,
): void {
  for (let index = 0; index < count; index++) {
    const nameOffset = reader.offset;
    reader.skipName();
    const type = reader.uint16();
    const recordClass = reader.uint16();
    const ttlOffset = reader.offset;
    const ttl = reader.uint32();
    const dataLength = reader.uint16();
    const data = reader.take(dataLength);
    reader.offset = data;
    visit({ section, type, class: recordClass, ttl, ttlOffset, dataLength, nameOffset });
    reader.offset = data + dataLength;
  }
}
