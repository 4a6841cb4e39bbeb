import { type Frame, flag, frameType } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";

interface Rule {
  readonly name: string;
  /** Where it may be sent. */
  readonly of: "connection" | "stream" | "either";
  readonly fits?: (length: number, flags: number) => boolean;
}

const rules: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [frameType.data, { name: "DATA", of: "stream" }],
  [frameType.headers, { name: "HEADERS", of: "stream" }],
  [frameType.priority, { name: "PRIORITY", of: "stream", fits: (length) => length === 5 }],
  [frameType.reset, { name: "RST_STREAM", of: "stream", fits: (length) => length === 4 }],
  [
    frameType.settings,
    {
      name: "SETTINGS",
      of: "connection",
      fits: (length, flags) => ((flags & flag.ack) === 0 ? length % 6 === 0 : length === 0),
    },
  ],
  [frameType.ping, { name: "PING", of: "connection", fits: (length) => length === 8 }],
  [frameType.goAway, { name: "GOAWAY", of: "connection", fits: (length) => length >= 8 }],
  [frameType.windowUpdate, { name: "WINDOW_UPDATE", of: "either", fits: (length) => length === 4 }],
  [frameType.continuation, { name: "CONTINUATION", of: "stream" }],
]);

/** Checks a frame by itself (RFC 9113, section 6). @throws Http2Error */
export function checkFrame({ type, flags, stream, payload }: Frame): void {
  const rule = rules.get(type);
  if (!rule) return;
  if (rule.of !== "either" && (stream === 0) !== (rule.of === "connection"))
    throw new Http2Error(errorCode.protocolError, `${rule.name} on stream ${stream}`);
  if (rule.fits && !rule.fits(payload.length, flags))
    throw new Http2Error(errorCode.frameSizeError, `${rule.name} of the wrong length`);
}
