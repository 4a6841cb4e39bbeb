import type { Status } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { CacheEntry } from "../cache/cache-entry.js";
import type { Delivery } from "../cache/cache-event.js";
import type { ListAnswer } from "./answer.js";

/** One way to write answers: a media type, and whole objects, table rows or only metadata. What it cannot write it refuses with a StatusError. */
export interface Form extends StatusForm {
  /** It writes no more than metadata and columns of an object, which are the same in all versions of its kind. @default false */
  readonly metadataOnly?: boolean;
  /** The same in compact JSON. @default it is that already */
  readonly plain?: Form;
  /** Of a watch. */
  readonly streamType: string;
  object(kind: AnyKind, bytes: Uint8Array): Uint8Array;
  list(answer: ListAnswer): ListText;
  /** Begins a watch: what it writes of each event. A new one for each watch, since a form may write its first event otherwise. */
  stream(kind: AnyKind): EventForm;
}

export interface StatusForm {
  readonly contentType: string;
  status(status: Status): Uint8Array;
}

/** A list in pieces: the server writes them one by one without ever holding the whole. */
export interface ListText {
  /** `length`: how many bytes the items have together, separators included, where `sized` asks for it. */
  before(length: number): Uint8Array;
  /** Appends one item to `into`. */
  item(entry: CacheEntry, into: ByteSink): void;
  /** Stands between two items. */
  readonly separator: Uint8Array;
  readonly after: Uint8Array;
  /** The text begins with the length of its items, so all of them are made before the first byte goes out. */
  readonly sized: boolean;
  /** Lists with the same mark write the same bytes for an entry for as long as it lives, so they may be kept; undefined: they do not (ages in tables). */
  readonly mark: string | undefined;
}

export interface ByteSink {
  append(bytes: Uint8Array, start?: number, end?: number): void;
  appendText(text: string): void;
}

export interface EventForm {
  /** Streams with the same mark write the same bytes for an event; undefined: this one does not (a table's first event). */
  readonly shared: string | undefined;
  event(delivery: Delivery): Uint8Array;
  bookmark(revision: number, initial: boolean): Uint8Array;
  error(status: Status): Uint8Array;
}

/** The encoding of a delivery that all watchers of the same form share. */
export function sharedFrame(delivery: Delivery, form: string, encode: () => Uint8Array): Uint8Array {
  const frames = (delivery.frames ??= new Map());
  let frame = frames.get(form);
  if (!frame) frames.set(form, (frame = encode()));
  return frame;
}
