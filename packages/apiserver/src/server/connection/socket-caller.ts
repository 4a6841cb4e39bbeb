import type { Socket } from "node:net";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { type Certificate, fingerprint, readCertificate } from "@coxswain/wire/x509";
import type { Caller, ClientCertificate } from "../../request/request.js";
import { peerCertificateOf } from "./peer-chains.js";
import { SeenChains } from "./seen-chains.js";

const callers = new WeakMap<object, Caller>();
const seenChains = new SeenChains();

/** The peer of a socket: address and client certificate, read once per connection. */
export function callerOf(socket: Socket | TLSSocket | undefined): Caller {
  if (!socket) return { via: "socket", remoteAddress: "", certificate: undefined };
  let caller = callers.get(socket);
  if (!caller)
    callers.set(
      socket,
      (caller = { via: "socket", remoteAddress: socket.remoteAddress ?? "", certificate: certificateOf(socket) }),
    );
  return caller;
}

/** `authorized` is TLS's own word for a chain that holds. */
function certificateOf(socket: Socket | TLSSocket): ClientCertificate | undefined {
  const tls = socket as TLSSocket;
  const peer = peerCertificateOf(tls);
  if (!peer) return undefined;
  const [leaf, ...sent] = chainOf(peer);
  const isTrusted = tls.authorized && leaf !== undefined;
  const isResumed = tls.isSessionReused();
  if (isTrusted && !isResumed) seenChains.note(leaf, sent);
  const chain = isTrusted && isResumed ? [...sent, ...seenChains.of(leaf)] : sent;
  const problem = leaf ? `x509: ${String(tls.authorizationError ?? "unknown")}` : "x509: malformed certificate";
  return {
    isTrusted,
    problem,
    leaf,
    fingerprint: leaf ? fingerprint(leaf) : "",
    chain,
  };
}

/** What the client sent, as far as it can be read; the last one names itself as its issuer. */
function chainOf(peer: DetailedPeerCertificate): Certificate[] {
  const chain: Certificate[] = [];
  try {
    for (
      let at: DetailedPeerCertificate | undefined = peer;
      at?.raw;
      at = at.issuerCertificate === at ? undefined : at.issuerCertificate
    )
      chain.push(readCertificate(at.raw));
  } catch {
    return chain; // what cannot be read vouches for nothing
  }
  return chain;
}
