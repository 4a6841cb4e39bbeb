import type { Status } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { CacheEntry } from "../../cache/cache-entry.js";
import type { Delivery } from "../../cache/cache-event.js";
import type { ListAnswer } from "../../server/answer.js";

/** One way to write answers: a media type, and whole objects, table rows or only metadata. */
export interface Form {
  readonly contentType: string;
  /** Of a watch. */
  readonly streamType: string;
  object(kind: AnyKind, bytes: Uint8Array): Uint8Array;
  list(answer: ListAnswer): ListText;
  status(status: Status): Uint8Array;
  /** Begins a watch: what it writes of each event. A new one for each watch, since a form may write its first event otherwise. */
  stream(kind: AnyKind): EventForm;
}

/** A list in pieces: the server writes them in chunks without ever holding the whole. */
export interface ListText {
  readonly before: Uint8Array;
  /** Appends one item to `into`. */
  item(entry: CacheEntry, first: boolean, into: ByteSink): void;
  readonly after: Uint8Array;
}

export interface ByteSink {
  append(bytes: Uint8Array, start?: number, end?: number): void;
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
  let frame = delivery.frames.get(form);
  if (!frame) delivery.frames.set(form, (frame = encode()));
  return frame;
}
