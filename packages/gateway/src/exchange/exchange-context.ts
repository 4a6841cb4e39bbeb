import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { BackendPools } from "../backends/backend-pools.js";
import type { ArrivedRequest } from "../calls/client-call.js";
import type { Tunnel } from "../calls/tunnel.js";
import type { Sweeper } from "../clients/sweeper.js";
import type { BackendTarget } from "../engine/backend.js";
import type { Mirrors } from "./mirror.js";

/** How a request ended. */
export interface ExchangeEnd {
  /** 0: the client left before it was answered. */
  readonly status: number;
  /** Undefined: it went to no backend. */
  readonly endpoint: Endpoint | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly attempts: number;
}

/** Is notified once, when all is over. */
export interface ExchangeReport {
  over(end: ExchangeEnd): void;
}

/** What a request came to. */
export interface ExchangeOutcome {
  /** `owner/listener`; empty: there is none for its host. */
  readonly listener: string;
  /** `kind namespace/name`; empty: no route was found. */
  readonly route: string;
  readonly request: ArrivedRequest;
  readonly end: ExchangeEnd;
  readonly ms: number;
}

/** What all exchanges share. */
export interface ExchangeContext {
  readonly runtime: Runtime;
  readonly pools: BackendPools;
  readonly mirrors: Mirrors;
  readonly sweeper: Sweeper;
  endpointsOf(target: BackendTarget): readonly Endpoint[];
  onBackendFailure(kind: string): void;
  /** Calls back when the last of it is gone. */
  openTunnel(client: Tunnel, backend: Tunnel, onClosed: () => void): void;
}
