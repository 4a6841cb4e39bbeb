import type { Duplex } from "node:stream";
import { type NodeTransport, portForward } from "@coxswain/client/node";

/** A way to one port of a pod. */
export interface PodPort {
  connect(): Promise<Duplex>;
  close(): void;
  /** Resolves when the pod, or the way to it, is gone. */
  readonly closed: Promise<void>;
}

export interface PodPortOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** Whom to impersonate: a page that sees as somebody else forwards as them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly signal: AbortSignal;
}

export type OpenPodPort = (upstream: NodeTransport, options: PodPortOptions) => Promise<PodPort>;

/** By the API server, as kubectl does it. @throws StatusError, TransportError */
export const openPodPort: OpenPodPort = async (upstream, { port, ...options }) => {
  const forward = await portForward({ sockets: upstream }, options);
  return { connect: () => forward.connect(port), close: () => forward.close(), closed: forward.closed };
};
