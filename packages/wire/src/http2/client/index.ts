// What a client needs of HTTP/2, without the server's side: programs that only send requests need not load that.
export { ClientSession, type ClientSessionSizes, type SessionEvents } from "./client-session.js";
export type { ClientStream, StreamEnd, StreamEvents } from "./client-stream.js";
export { type Header, headerValue } from "../header.js";
export { encodeHeaders } from "../hpack-encoder.js";
export { errorCode } from "../http2-error.js";
