import type { Socket } from "node:net";
import type { Runtime } from "@coxswain/runtime";
import { headerValue, ServerSession, type ServerStream, type SessionSizes } from "@coxswain/wire/http2";
import type { ArrivedRequest } from "../calls/client-call.js";
import type { ClientConnection, ClientConnectionOptions } from "./client-connection.js";
import { fieldsOfHeaders } from "./fields-of-headers.js";
import { Http2Call } from "./http2-call.js";
import { clientLimits } from "./limits.js";

const maxStreams = 100;
/** Bodies wait here for backends that are slow: at most so much of one connection. */
const sizes: SessionSizes = {
  maxHeaderBytes: clientLimits.headBytes,
  maxFrameBytes: 16_384,
  streamWindow: 64 * 1024,
  connectionWindow: 1024 * 1024,
};
/** What HTTP/1.1 has no request line with: a blank in them would be another request for a backend. */
const methodName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const targetBytes = /^[\x21\x22\x24-\x7e]+$/;
const host = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

/** A client's connection with HTTP/2. Time-outs of connections, floods and resets are the session's. */
export function serveHttp2(runtime: Runtime, options: ClientConnectionOptions): ClientConnection {
  const socket = options.socket as Socket;
  const session = new ServerSession(socket, {
    maxStreams,
    sizes,
    clock: runtime.ioClock,
    scheduler: runtime.scheduler,
    onRequest: (stream) => serveStream(stream, options),
    onRefused: (stream, status) => stream.respond(status, { "content-length": "0" }, true),
    onClose: options.onClosed,
  });
  if (options.first) socket.emit("data", options.first);
  return {
    drain: () => session.close(),
    destroy: () => void socket.destroy(),
    get heldBytes() {
      return session.heldBytes;
    },
  };
}

function serveStream(stream: ServerStream, options: ClientConnectionOptions): void {
  const request = arrivedRequest(stream, options);
  if (request) options.onCall(new Http2Call(request, stream));
  else stream.respond(400, { "content-length": "0" }, true);
}

/** Undefined: it has no host, or two that differ (RFC 9113, section 8.3.1). CONNECT has no path, and is not served. */
function arrivedRequest(
  { headers, hasBody }: ServerStream,
  { scheme, clientAddress }: ClientConnectionOptions,
): ArrivedRequest | undefined {
  const authority = headerValue(headers, ":authority") ?? headerValue(headers, "host") ?? "";
  const hosts = headers.filter(([name]) => name === "host");
  const target = headerValue(headers, ":path");
  if (!host.test(authority) || target === undefined || hosts.some(([, value]) => value !== authority)) return undefined;
  const method = headerValue(headers, ":method") ?? "";
  if (!methodName.test(method) || !targetBytes.test(target)) return undefined;
  const lengths = headers.filter(([name]) => name === "content-length").map(([, value]) => value);
  if (lengths.length > 1 || lengths.some((value) => !/^\d{1,15}$/.test(value))) return undefined;
  return {
    method,
    scheme,
    authority,
    target,
    fields: fieldsOfHeaders(headers),
    hasBody,
    bodyBytes: hasBody && lengths.length > 0 ? Number(lengths[0]) : undefined,
    upgrade: undefined,
    protocol: "HTTP/2",
    clientAddress,
  };
}
