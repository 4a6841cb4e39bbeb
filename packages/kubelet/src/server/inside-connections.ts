import { type Duplex, duplexPair } from "node:stream";
import { type CachedPod, nameOf, namespaceOf } from "../pod/cached-pod.js";
import { chunksOf } from "./chunks.js";
import type { KubeletServer } from "./kubelet-server.js";
import type { KubeletSource } from "./kubelet-source.js";

/** Connections without sockets to the kubelets and pods of this process, for an API server that lives in it, too. */
export interface InsideConnections {
  /** Whether a name or address is one of our nodes' or pods'. */
  reaches(hostname: string): boolean;
  /** Undefined where nothing of ours answers there. What is sent is plain HTTP/1.1, as no TLS is needed inside a process. */
  connect(hostname: string, port: number): Duplex | undefined;
}

export interface InsideConnectionsOptions {
  readonly source: KubeletSource;
  readonly server: Pick<KubeletServer, "connect">;
  readonly kubeletPort: number;
  podAt(address: string): CachedPod | undefined;
}

export function createInsideConnections({
  source,
  server,
  kubeletPort,
  podAt,
}: InsideConnectionsOptions): InsideConnections {
  return {
    reaches: (hostname) => source.nodeAt(hostname) !== undefined || podAt(hostname) !== undefined,
    connect(hostname, port) {
      const node = source.nodeAt(hostname);
      if (node) return port === kubeletPort && node.isConnected ? server.connect(node) : undefined;
      const pod = podAt(hostname);
      const found = pod && source.findPod(namespaceOf(pod), nameOf(pod));
      if (!found?.agent.isConnected) return undefined;
      const [ours, theirs] = duplexPair();
      const streams = { incoming: chunksOf(ours), write: (chunk: Uint8Array) => void ours.write(chunk) };
      const ending = new AbortController();
      ours.once("close", () => ending.abort());
      ours.on("error", () => ending.abort());
      found.agent.context.runtime
        .openPort(found.worker.uid, port, streams, ending.signal)
        .then(() => ours.end())
        .catch((error: Error) => theirs.destroy(error));
      return theirs;
    },
  };
}
