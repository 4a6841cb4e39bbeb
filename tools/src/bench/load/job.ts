import type { ClusterAccess } from "../../upstream/kubeconfig.js";
import type { RequestSpec } from "./connection.js";

/** The same request over and over, so many in flight on each connection. */
export interface RequestsJob {
  readonly kind: "requests";
  readonly access: ClusterAccess;
  readonly request: RequestSpec;
  readonly connections: number;
  readonly inFlightEach: number;
  readonly count: number;
  /** So many come before those that count, to warm the client up. */
  readonly unmeasured?: number;
  /** None is sent later than this after the first. @default all are sent */
  readonly mostSeconds?: number;
  /** Should not wait for a core that another load client keeps busy, where the system lets us pin it. */
  readonly isUrgent?: boolean;
}

export interface RequestsResult {
  /** From the first request sent to the last answer complete; connections are open before. */
  readonly seconds: number;
  /** How often each status came. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Bytes of all bodies. */
  readonly bytes: number;
  /** Of a whole answer, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Opens watches, then makes objects that all of them see. */
export interface WatchJob {
  readonly kind: "watch";
  readonly access: ClusterAccess;
  readonly watch: RequestSpec;
  readonly connections: number;
  readonly watchesEach: number;
  readonly create: RequestSpec;
  readonly creates: number;
  readonly createsInFlight: number;
}

export interface WatchResult {
  /** Until every watch was answered with its head, handshakes not counted. */
  readonly openSeconds: number;
  /** From the first create sent to the last event received. */
  readonly deliverSeconds: number;
  readonly events: number;
  readonly bytes: number;
  /** Of the first watch that was refused; undefined if none was. */
  readonly refused?: number;
}

export type Job = RequestsJob | WatchJob;
