import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Caller, ClientCertificate } from "./request.js";

const callers = new WeakMap<object, Caller>();

/** Who is at the other end of a socket; found out once per connection. */
export function callerOf(socket: Socket | TLSSocket | undefined): Caller {
  if (!socket) return { via: "socket", remoteAddress: "", certificate: undefined };
  let caller = callers.get(socket);
  if (!caller) callers.set(socket, (caller = { via: "socket", remoteAddress: socket.remoteAddress ?? "", certificate: certificateOf(socket) }));
  return caller;
}

/** Only a certificate that chains to the client CA counts; `authorized` is TLS's own word for it. */
function certificateOf(socket: Socket | TLSSocket): ClientCertificate | undefined {
  const tls = socket as TLSSocket;
  if (!tls.authorized) return undefined;
  const subject = tls.getPeerCertificate().subject as { CN?: string | string[]; O?: string | string[] } | undefined;
  if (!subject) return undefined;
  const commonName = Array.isArray(subject.CN) ? (subject.CN.at(-1) ?? "") : (subject.CN ?? "");
  const organizations = subject.O === undefined ? [] : Array.isArray(subject.O) ? subject.O : [subject.O];
  return { commonName, organizations };
}
