import { getOwn } from "@coxswain/apimachinery/own";
import { genericServerResponse, statusErrorFromObject } from "@coxswain/apimachinery/status";
import { parseJsonText } from "../transport/json-body.js";
import { TransportError } from "../transport/transport-error.js";
import type { WatchEvent } from "../transport/watch-event.js";

/** The annotation of the bookmark that ends the initial events of a WatchList. */
export const initialEventsEndAnnotation = "k8s.io/initial-events-end";

/**
 * Reads the frames of a watch, one JSON object a line, from chunks that end anywhere. A frame that cannot be read throws a
 * TransportError: what follows it could be missing an event, so the watch is over.
 */
export class WatchDecoder {
  readonly #text = new TextDecoder();
  /** The pieces of a frame whose end has not come yet. */
  #partial: Uint8Array[] = [];

  /** Adds the events whose last byte is in `chunk` to `events`; of a chunk with a broken frame, those before it. */
  push(chunk: Uint8Array, events: WatchEvent[]): void {
    let start = 0;
    if (this.#partial.length > 0) {
      const end = chunk.indexOf(newline);
      this.#partial.push(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return;
      // Only this frame is copied, and not what came with its end.
      const line = this.#takePartial();
      if (line !== "") events.push(decodeFrame(line));
      start = end + 1;
    }
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > start) {
      // A newline inside a JSON string is escaped, so lines can be split before they are parsed.
      const lines = this.#text.decode(chunk.subarray(start, end)).split("\n");
      for (const line of lines) if (line !== "") events.push(decodeFrame(line));
    }
    const rest = Math.max(start, end);
    if (rest < chunk.length) this.#partial.push(chunk.subarray(rest));
  }

  /** Throws when the connection ended inside a frame. */
  finish(): void {
    if (this.#takePartial().trim() !== "") throw new TransportError("lost", "the watch ended inside a frame");
  }

  /** A frame can be cut inside a character, so its pieces are joined before they are decoded. */
  #takePartial(): string {
    const parts = this.#partial;
    this.#partial = [];
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return this.#text.decode(whole);
  }
}

const newline = 0x0a;

function decodeFrame(line: string): WatchEvent {
  let frame: { type?: unknown; object?: unknown };
  try {
    frame = parseJsonText(line) as { type?: unknown; object?: unknown };
  } catch (cause) {
    throw new TransportError("malformed", `a watch frame is no JSON: ${JSON.stringify(line.slice(0, 200))}`, { cause });
  }
  return watchEventOf(frame);
}

interface BookmarkObject {
  readonly kind?: string;
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** Of a Table. */
  readonly rows?: readonly { readonly object?: BookmarkObject }[];
}

/** A watch of Tables has its bookmarks as Tables of one row, and their metadata in it. */
const bookmarked = (object: BookmarkObject): BookmarkObject["metadata"] =>
  object.kind === "Table" ? object.rows?.[0]?.object?.metadata : object.metadata;

/** The event of a decoded frame `{"type", "object"}`. */
export function watchEventOf(frame: { readonly type?: unknown; readonly object?: unknown } | null): WatchEvent {
  const { type, object } = frame ?? {};
  if (typeof object !== "object" || object === null)
    throw new TransportError("malformed", `a watch frame of type ${JSON.stringify(type)} has no object`);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object };
    case "BOOKMARK": {
      const metadata = bookmarked(object as BookmarkObject);
      return {
        type,
        resourceVersion: metadata?.resourceVersion ?? "",
        initialEventsEnd: getOwn(metadata?.annotations, initialEventsEndAnnotation) === "true",
      };
    }
    case "ERROR":
      return {
        type,
        error:
          statusErrorFromObject(object) ??
          genericServerResponse({ code: 500, verb: "GET", serverMessage: JSON.stringify(object), unexpected: true }),
      };
    default:
      throw new TransportError("malformed", `a watch frame has the unknown type ${JSON.stringify(type)}`);
  }
}
