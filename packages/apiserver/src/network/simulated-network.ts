import type { Duplex } from "node:stream";
import type { UserInfo } from "../request/user-info.js";

/** The network of the nodes and pods that are simulated in this process. Services' ranges are part of it; the server knows them. */
export interface SimulatedNetwork {
  /** CIDRs of nodes and pods. No socket is ever opened to an address of them. */
  readonly cidrs: readonly string[];
  /** The user that the server is to kubelets of this process, as its kubelet client certificate names one to kubelets elsewhere. */
  readonly kubeletClient: UserInfo;
}

/** A connection that the server makes to a node or a pod of its own process. */
export interface InsideDial {
  readonly hostname: string;
  readonly port: number;
  /** What the server would use over a socket. To kubelets inside, the bytes are plain HTTP/1.1 either way; `udp`: datagrams, each behind its length in two bytes. */
  readonly scheme: "http" | "https" | "udp";
  /** Whose credentials the call presents; undefined: none. */
  readonly user: UserInfo | undefined;
}

export type InsideConnection =
  | { readonly kind: "connected"; readonly connection: Duplex }
  /** Nothing listens there (ECONNREFUSED), or no machine has the address (EHOSTUNREACH). `address`: of the host that was asked for. */
  | { readonly kind: "failed"; readonly code: "ECONNREFUSED" | "EHOSTUNREACH"; readonly address: string };

/** Nodes and pods of this process. */
export interface InsideConnections {
  /** Whether a name or an address is, or was, one of theirs, in or outside the network's CIDRs. */
  owns(hostname: string): boolean;
  connect(dial: InsideDial): InsideConnection;
}
