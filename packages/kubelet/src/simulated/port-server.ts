import type { Duplex } from "node:stream";
import type { Runtime } from "@coxswain/runtime";

/** UDP inside a process: a connection for each client's flow, each datagram behind its length in two bytes, as DNS does over TCP. */
export type PortTransport = "tcp" | "udp";

/** What listens in a container. */
export interface PortServer {
  listens(port: number, transport: PortTransport): boolean;
  /** Serves one connection, which it may close; it is closed if nothing listens there. */
  serve(connection: Duplex, port: number, transport: PortTransport): void;
}

/** What a program of a container has. */
export interface ProgramFacts {
  /** What it is started with. */
  readonly args: readonly string[];
  /** A variable of its environment; empty if it is not there. */
  env(name: string): string;
  /** A file, as it is now. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** A line of its log. */
  print(line: string): void;
  readonly runtime: Runtime;
}
