import type { Duplex } from "node:stream";

/** What processes of a container find beyond it: names and connections. */
export interface ContainerNetwork {
  /** Of the cluster's DNS, as resolv.conf has it. */
  readonly nameServer: string;
  /** By the container's search list. */
  lookup(name: string, type: string): Promise<Lookup>;
  connect(address: string, port: number): Promise<Connection>;
}

export type Lookup =
  /** `name` is the one that has the records; `data` as zone files have it. */
  | { readonly kind: "found"; readonly name: string; readonly data: readonly string[] }
  | { readonly kind: "missing" }
  /** The cluster does not answer for the name, and nobody else is asked. */
  | { readonly kind: "outside" };

export type Connection =
  | {
      readonly kind: "connected";
      readonly stream: Duplex;
      /** A real server, which speaks TLS: what a simulated container answers does not. */
      readonly isTlsServer?: boolean;
    }
  | { readonly kind: "refused" | "unreachable" | "outside" };

/** A container without a network. */
export const noNetwork: ContainerNetwork = {
  nameServer: "127.0.0.1",
  lookup: () => Promise.resolve({ kind: "outside" }),
  connect: () => Promise.resolve({ kind: "outside" }),
};
