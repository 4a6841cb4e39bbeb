import { equalJson } from "@coxswain/apimachinery/json";
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
  /** All of a value that this process did not write is parsed, although little of it is read: damage is found here or by clients. @throws Error */
  read(record: KeyRecord): EntryReading;
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

  /** Once: a store in memory keeps the array, and with it this reading would be kept, 0.7 KB for the objects of a pod. */
  function taken(bytes: Uint8Array): EntryReading | undefined {
    const known = expected.get(bytes);
    if (known) expected.delete(bytes);
    return known;
  }

  return {
    read: ({ value }) => taken(value) ?? reading(JSON.parse(decoder.decode(value)) as StoredObject),
    expects: (bytes) => expected.has(bytes),
    expect: (bytes, object) => expected.set(bytes, reading(object)),
  };
}
