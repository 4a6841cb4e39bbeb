import type { Duplex } from "node:stream";

/** Where connections to endpoints go. */
export interface BackendNetwork {
  /** A connection to a pod that is simulated in this process; undefined: to be dialled by a socket. @throws Error with the code of a failed connect */
  connectInside(dial: {
    readonly hostname: string;
    readonly port: number;
    /** `udp`: one flow, each datagram behind its length in two bytes, as in DNS over TCP. */
    readonly scheme: "http" | "udp";
    /** A client of the gateway is a stranger to nodes and pods. */
    readonly user: undefined;
  }): Duplex | undefined;
}

/** Of a gateway without simulated pods in its process. */
export const socketsOnly: BackendNetwork = { connectInside: () => undefined };
