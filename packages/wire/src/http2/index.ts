export { ClientSession, type SessionEvents } from "./client-session.js";
export type { ClientStream, StreamEnd, StreamEvents } from "./client-stream.js";
export { type Header, headerValue } from "./header.js";
export { encodeHeaders } from "./hpack-encoder.js";
export { errorCode } from "./http2-error.js";
export { ServerSession, type ServerSessionOptions } from "./server-session.js";
export type { BodyReader, ServerStream } from "./server-stream.js";
