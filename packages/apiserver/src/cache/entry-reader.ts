import type { UserMap } from "@coxswain/apimachinery/own";
import type { AnyKind } from "@coxswain/kinds";
import type { KeyRecord } from "@coxswain/storage";

export type EntryReading = { namespace: string; name: string; labels: UserMap<string> | undefined; fields: Readonly<Record<string, string>> | undefined };

/** Reads from a stored object what the cache keeps beside its bytes. */
export interface EntryReader {
  read(record: KeyRecord): EntryReading;
  /**
   * The parsed form of bytes that are about to be written: an embedded store hands the same array back in the event, and the
   * cache need not parse what the writer had in its hands.
   */
  expect(bytes: Uint8Array, object: StoredObject): void;
}

/** The members that are read; the rest of the object is for the kind's own functions. */
export interface StoredObject {
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly labels?: UserMap<string> };
}

export function createEntryReader(kind: AnyKind): EntryReader {
  const expected = new WeakMap<Uint8Array, EntryReading>();
  const decoder = new TextDecoder();

  function reading(object: StoredObject): EntryReading {
    const { name = "", namespace = "", labels } = object.metadata;
    return { namespace, name, labels, fields: kind.selectableFields?.values(object) };
  }

  return {
    read: (record) => expected.get(record.value) ?? reading(JSON.parse(decoder.decode(record.value)) as StoredObject),
    expect: (bytes, object) => expected.set(bytes, reading(object)),
  };
}
