import type { Duplex } from "node:stream";
import type { NodeAgent } from "../node/node-agent.js";
import { type CachedPod, nameOf, namespaceOf } from "../objects/cached-pod.js";
import { connectedPair } from "../runtime/connected-pair.js";
import type { InsideUser } from "./access.js";
import { chunksOf } from "./chunks.js";
import { insideStreams } from "./inside-streams.js";
import type { KubeletServer } from "./kubelet-server.js";
import type { KubeletSource } from "./kubelet-source.js";
import type { OwnedAddresses } from "./owned-addresses.js";

/** A connection that an API server of this process makes. */
export interface InsideDial {
  readonly hostname: string;
  readonly port: number;
  /** What it would speak over a socket. What is sent to a kubelet is plain HTTP/1.1 either way, as no TLS is needed inside a process; `udp`: see StreamsInside. */
  readonly scheme: "http" | "https" | "udp";
  /** Whose credentials it presents; undefined: none. */
  readonly user: InsideUser | undefined;
}

export type InsideConnection =
  | { readonly kind: "connected"; readonly connection: Duplex }
  /** As a connect by a socket fails: nothing listens there, or no machine has the address. `address`: of the host that was asked for. */
  | { readonly kind: "failed"; readonly code: "ECONNREFUSED" | "EHOSTUNREACH"; readonly address: string };

/** Connections without sockets to the kubelets and pods of this process, for an API server that lives in it, too. */
export interface InsideConnections {
  /** Whether a name or address is, or was, one of our nodes' or pods'. */
  owns(hostname: string): boolean;
  /** It has the identity that the caller presents, and no other: kubelets check it as they check a certificate. */
  connect(dial: InsideDial): InsideConnection;
}

export interface InsideConnectionsOptions {
  readonly source: KubeletSource;
  readonly server: Pick<KubeletServer, "connect">;
  readonly kubeletPort: number;
  readonly owned: OwnedAddresses;
  podAt(address: string): CachedPod | undefined;
}

export function createInsideConnections(options: InsideConnectionsOptions): InsideConnections {
  const { source, server, kubeletPort, owned, podAt } = options;
  return {
    owns: (hostname) => owned.has(hostname) || podAt(hostname) !== undefined,
    connect({ hostname, port, scheme, user }) {
      const node = source.nodeAt(hostname);
      const address = node?.hostIPs[0] ?? hostname;
      if (node?.isConnected && port !== kubeletPort) return { kind: "failed", code: "ECONNREFUSED", address };
      if (node?.isConnected)
        return { kind: "connected", connection: scheme === "https" ? server.connect(node, user) : refusePlainHttp() };
      const pod = node ? undefined : podAt(hostname);
      const found = pod && source.findPod(namespaceOf(pod), nameOf(pod));
      if (!found?.agent.isConnected) return { kind: "failed", code: "EHOSTUNREACH", address };
      const { agent, worker } = found;
      const transport = scheme === "udp" ? "udp" : "tcp";
      if (!insideStreams(agent).listens(worker.uid, port, transport))
        return { kind: "failed", code: "ECONNREFUSED", address };
      return { kind: "connected", connection: openPort(agent, worker.uid, port, transport) };
    },
  };
}

function openPort(agent: NodeAgent, uid: string, port: number, transport: "tcp" | "udp"): Duplex {
  const [ours, theirs] = connectedPair();
  // It may break before its user listens: that is the user's to find in the closed connection, and no end of the process.
  theirs.on("error", () => undefined);
  const streams = { incoming: chunksOf(ours), write: (chunk: Uint8Array) => void ours.write(chunk) };
  const ending = new AbortController();
  ours.once("close", () => ending.abort());
  ours.on("error", () => ending.abort());
  insideStreams(agent)
    .openPort(uid, port, streams, ending.signal, transport)
    .then(() => ours.end())
    .catch((error: Error) => theirs.destroy(error));
  return theirs;
}

/** As Go's server for TLS answers a request without it. */
function refusePlainHttp(): Duplex {
  const [ours, theirs] = connectedPair();
  ours.on("error", () => undefined); // a client that is gone
  ours.once("data", () =>
    ours.end("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"),
  );
  return theirs;
}
