export { ClientSession, type ClientSessionSizes, type SessionEvents } from "./client/client-session.js";
export type { ClientStream, StreamEnd, StreamEvents } from "./client/client-stream.js";
export { type Header, headerValue } from "./header.js";
export { encodeHeaders } from "./hpack-encoder.js";
export { errorCode, Http2Error } from "./http2-error.js";
export { ServerSession } from "./server-session.js";
export type { SessionSizes } from "./server-limits.js";
export type { ServerSessionOptions } from "./server-session-options.js";
export type { BodyReader, ResponseHeaders, ServerStream } from "./server-stream.js";

// For those who read header blocks by themselves: fuzzers, other protocols.
export { HpackDecoder } from "./hpack-decoder.js";
