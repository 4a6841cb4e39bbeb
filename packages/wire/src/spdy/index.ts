export { createSpdyConnection, type SpdyConnection, type SpdyOptions } from "./connection.js";
export { acceptSpdy, connectSpdy, isSpdyRequest } from "./handshake.js";
export type { SpdyHeaders } from "./header-block.js";
export { runSpdyCommand } from "./run-command.js";
export { type ResetReason, SpdyError } from "./spdy-error.js";
export type { SpdyStream } from "./stream.js";
