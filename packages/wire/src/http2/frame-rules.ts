import { flag, type Frame, frameType } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";

interface Rule {
  readonly name: string;
  /** What it speaks of. */
  readonly of: "connection" | "stream" | "either";
  readonly fits?: (length: number, flags: number) => boolean;
}

const rules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [frameType.data, { name: "data", of: "stream" }],
  [frameType.headers, { name: "headers", of: "stream" }],
  [frameType.priority, { name: "a priority", of: "stream", fits: (length) => length === 5 }],
  [frameType.reset, { name: "a reset", of: "stream", fits: (length) => length === 4 }],
  [
    frameType.settings,
    {
      name: "settings",
      of: "connection",
      fits: (length, flags) => ((flags & flag.ack) === 0 ? length % 6 === 0 : length === 0),
    },
  ],
  [frameType.ping, { name: "a ping", of: "connection", fits: (length) => length === 8 }],
  [frameType.goAway, { name: "a farewell", of: "connection", fits: (length) => length >= 8 }],
  [frameType.windowUpdate, { name: "a window update", of: "either", fits: (length) => length === 4 }],
  [frameType.continuation, { name: "a continuation", of: "stream" }],
]);

/** What RFC 9113, section 6, demands of a frame by itself. @throws Http2Error */
export function checkFrame({ type, flags, stream, payload }: Frame): void {
  const rule = rules.get(type);
  if (!rule) return;
  if (rule.of !== "either" && (stream === 0) !== (rule.of === "connection"))
    throw new Http2Error(errorCode.protocolError, `${rule.name} on stream ${stream}`);
  if (rule.fits && !rule.fits(payload.length, flags))
    throw new Http2Error(errorCode.frameSizeError, `${rule.name} of the wrong length`);
}
