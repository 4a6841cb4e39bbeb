import type { InsideNetwork } from "@coxswain/apiserver";
import type { Runtime } from "@coxswain/runtime";
import type { WantedListener } from "./load-balancer-plan.js";

/** A port that is listened on. What it relays to changes while it is open. */
export interface OpenListener {
  update(wanted: WantedListener): void;
  /** Takes no more connections; those that are open have `drainMs` to end. */
  close(): Promise<void>;
}

export interface RelayOptions {
  readonly runtime: Runtime;
  /** Of the API server: what is inside it is never dialled by a socket. */
  readonly network: InsideNetwork;
}

/** Milliseconds that open connections of a service have once it is gone or moved. */
export const drainMs = 5000;
