import type { Client } from "@coxswain/client";
import type { Tracer } from "@coxswain/client/rest";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import type { Runtime } from "@coxswain/runtime";
import type { CacheOptions } from "../cache/index.js";
import type { ControllerOptions, ReconcileObserver } from "../controller/index.js";
import type { CertificateSource, Servers } from "../serving/index.js";

export interface LeaderElectionOptions {
  /** The name of the Lease. */
  readonly id: string;
  /** @default the namespace of the pod, where it runs in one (`@coxswain/operator/node`) */
  readonly namespace?: string;
  /** Different for every replica. @default a random one, behind the host's name in Node */
  readonly identity?: string;
  /** @default 15,000 */
  readonly leaseDurationMs?: number;
  /** @default 10,000 */
  readonly renewDeadlineMs?: number;
  /** @default 2,000 */
  readonly retryPeriodMs?: number;
  /**
   * Gives the Lease up at the end, once the controllers have ended, so that another replica takes over at once.
   * @default true; controller-runtime's default is false, because its process must end first
   */
  readonly releaseOnStop?: boolean;
  /** On the Lease. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ListenOptions {
  /** `:8081`, `127.0.0.1:0`; "0" or "" for none. */
  readonly address: string;
}

export interface ManagerOptions {
  readonly client: Client;
  /** Only one of several replicas reconciles. @default none: this process always does */
  readonly leaderElection?: LeaderElectionOptions;
  /** @default none; kubebuilder's programs use `:8443` */
  readonly metrics?: ListenOptions & {
    /** @default plain HTTP */
    readonly certificates?: CertificateSource;
    /** Whether a request may read them. @default everybody may */
    readonly authorize?: MetricsGuard;
  };
  /** `/healthz` and `/readyz`. @default none; kubebuilder's programs use `:8081` */
  readonly health?: ListenOptions;
  /** @default `:9443` once a webhook is added */
  readonly webhooks?: Partial<ListenOptions> & { readonly certificates?: CertificateSource };
  /** How servers listen: `nodeServers()` of `@coxswain/operator/node`. Needed by `metrics`, `health` and webhooks. */
  readonly servers?: Servers;
  readonly cache?: CacheOptions;
  /** For every controller without its own value. */
  readonly controllers?: ControllerOptions;
  /** How long controllers and servers may take to end, in milliseconds; negative: for ever. @default 30,000 */
  readonly gracefulShutdownMs?: number;
  /** Where controllers count. @default a registry of the manager's own */
  readonly registry?: MetricsRegistry;
  /** Spans for reconciles: `trace.getTracer("my-operator")` of OpenTelemetry. @default none */
  readonly tracer?: Tracer;
  /** Is notified of every reconcile; for timelines of tests. */
  readonly observer?: ReconcileObserver;
  /** Its log is the manager's; its activity counts what is under way, for a test that moves time. @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** Undefined: the request may pass. Else what refuses it. */
export type MetricsGuard = (
  headers: Readonly<Record<string, string | undefined>>,
) => Promise<"unauthenticated" | "forbidden" | undefined>;
