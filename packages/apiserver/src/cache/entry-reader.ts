import { equalJson } from "@coxswain/apimachinery/json";
import type { MetadataPlaces } from "@coxswain/apimachinery/object";
import type { UserMap } from "@coxswain/apimachinery/own";
import type { AnyKind } from "@coxswain/kinds";
import type { KeyRecord } from "@coxswain/storage";
import { uninitializedField } from "./uninitialized.js";

export type EntryReading = {
  namespace: string;
  labels: UserMap<string> | undefined;
  fields: Readonly<Record<string, string>> | undefined;
};

/** Reads from a stored object what the cache keeps beside its bytes. */
export interface EntryReader {
  /** `places`: where the metadata stands in the record's value. */
  read(record: KeyRecord, places: MetadataPlaces): EntryReading;
  /**
   * The parsed form of bytes that are about to be written: an embedded store hands the same array back in the event, and the
   * cache need not parse what the writer had in its hands.
   */
  expect(bytes: Uint8Array, object: StoredObject): void;
  /** Whether the bytes are ones that this process wrote, and so in line with today's schema. */
  expects(bytes: Uint8Array): boolean;
}

/** The members that are read; the rest of the object is for the kind's own functions. */
export interface StoredObject {
  readonly metadata: {
    readonly namespace?: string;
    readonly labels?: UserMap<string>;
    /** Only where initializers are served. */
    readonly initializers?: unknown;
  };
}

/** What selectors may name of an object in the version of `kind`. */
export function readFields(kind: AnyKind, object: StoredObject): EntryReading["fields"] {
  const fields = kind.selectableFields?.values(object);
  return object.metadata.initializers === undefined
    ? fields
    : { ...fields, [uninitializedField.name]: uninitializedField.value };
}

export function createEntryReader(kind: AnyKind): EntryReader {
  const expected = new WeakMap<Uint8Array, EntryReading>();
  const decoder = new TextDecoder();

  /** Objects that come one after the other are often labelled alike: then they hold the same labels. */
  let lastLabels: UserMap<string> | undefined;

  function reading(object: StoredObject): EntryReading {
    const { namespace = "", labels } = object.metadata;
    if (!equalJson(labels, lastLabels)) lastLabels = labels;
    return { namespace, labels: lastLabels, fields: readFields(kind, object) };
  }

  /** Managed fields are much of an object, and nobody selects by them; of a kind without fields of its own the metadata is enough. */
  function parse(
    bytes: Uint8Array,
    { metadataStart, metadataEnd, managedFieldsStart, managedFieldsEnd }: MetadataPlaces,
  ): StoredObject {
    const [start, end] = kind.selectableFields ? [0, bytes.length] : [metadataStart, metadataEnd];
    const textOf = (from: number, to: number): string => decoder.decode(bytes.subarray(from, to));
    const parsed: unknown = JSON.parse(
      managedFieldsStart < 0 ? textOf(start, end) : textOf(start, managedFieldsStart) + textOf(managedFieldsEnd, end),
    );
    return (kind.selectableFields ? parsed : { metadata: parsed }) as StoredObject;
  }

  return {
    read: (record, places) => expected.get(record.value) ?? reading(parse(record.value, places)),
    expects: (bytes) => expected.has(bytes),
    expect: (bytes, object) => expected.set(bytes, reading(object)),
  };
}
