import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import type { PluginChoice } from "../../admission/choose-plugins.js";
import type { AggregationOptions } from "../../aggregation/create-aggregation.js";
import type { AuditOptions } from "../../audit/create-audit.js";
import type { AuthenticationOptions } from "../../authentication/authentication-options.js";
import type { AuthorizerConfig } from "../../authorization/authorizer-config.js";
import type { AuthorizationMode } from "../../authorization/modes.js";
import type { FeedSnapshot } from "../../cache/cache-feed.js";
import type { SimulatedNetwork } from "../../network/simulated-network.js";
import type { ProbeComponent } from "../../registry/component-statuses/component-checks.js";
import type { HistoryOptions } from "../../registry/history/history.js";
import type { Identity } from "../../registry/identity/identity-lease.js";
import type { Endpoint } from "../../registry/kubernetes-service/objects.js";
import type { PreparedObjects } from "../../registry/own-writes/prepared-objects.js";
import type { ServiceAllocationOptions } from "../../registry/services/allocation.js";
import type { KubeletOptions } from "../../registry/streams/create-streams.js";
import type { Filter } from "../../request/filter.js";
import type { ServiceRouting } from "../../webhook/service-resolver.js";
import type { ObservabilityOptions } from "../observability/observability.js";
import type { LimitOptions } from "../requests/limit-options.js";

/** One member per area. Code that reads flags or a configuration makes these types and passes them through. */
export interface ApiServerOptions {
  store: KeyValueStore;
  /** Of the server whose store `store` is a fork of, taken at the same moment. @default what is stored is read and brought up to date */
  initial?: ServerSnapshot | undefined;
  /**
   * Its `clock` decides what is seen in the API and paces the server's own work: deadlines of requests, priority and fairness, bookmarks,
   * leases of objects that expire. Its `activity` counts the work of the server's own controllers; its `scheduler` is that of the listener.
   */
  runtime: Runtime;
  /** Which APIs are served. */
  api?: ApiOptions;
  /** Who may connect, and how users are identified. Its `clientCa` and `requestHeader` are published for aggregated API servers. */
  authentication?: AuthenticationOptions;
  /** Asked in this order, after system:masters. @default Node, RBAC */
  authorizers?: readonly (AuthorizationMode | AuthorizerConfig)[];
  /** Admission plugins beside the default ones, and default ones that do not run. @default none */
  admission?: PluginChoice;
  /** How the server reaches services: webhooks and aggregated API servers. @default at their cluster IP */
  serviceRouting?: ServiceRouting;
  /** Where services get their addresses and node ports from. @default 10.96.0.0/16, 30000-32767 */
  services?: Partial<ServiceAllocationOptions>;
  /** How long Events stay. */
  events?: EventOptions;
  /** How the server connects to kubelets. @default without a certificate, and without verifying theirs */
  kubelet?: KubeletOptions;
  /** The network of nodes that are simulated in this process, which `connectInside` brings. @default none: all addresses are dialled */
  simulatedNetwork?: SimulatedNetwork | undefined;
  /** How the server connects to API servers behind it. @default without a certificate; redirects are refused */
  aggregation?: AggregationOptions;
  /** What requests may take and use. */
  limits?: LimitOptions;
  /** Which requests are audited, and where the events go. @default none */
  audit?: AuditOptions | undefined;
  /** What is kept of the past, and served as history.coxswain.dev. @default nothing */
  history?: HistoryOptions | undefined;
  /** Between authorization and the handlers: for tests that let requests fail or wait. @default none */
  filters?: readonly Filter[];
  /** What operators see of the server. */
  observability?: ObservabilityOptions;
  /** Whether and as whom this server holds a Lease that shows that it is alive. @default it holds none */
  identity?: Identity;
  /** Where clients inside the cluster reach the server; never a loopback address. @default not published */
  endpoint?: Endpoint;
  /** The address in discovery documents. @default "127.0.0.1:6443" */
  serverAddress?: () => string;
  /** How componentstatuses probe the scheduler and the controller manager. @default HTTPS on this machine */
  probeComponent?: ProbeComponent;
  /** What `prepareObjects` made, loaded when the store lacks some of it and no gates were set on which it may depend. @default made at the start */
  preparedObjects?: () => Promise<PreparedObjects>;
  /** What an empty store gets besides, prepared likewise by another server: written as it is, before anything is served. @default nothing */
  firstObjects?: () => Promise<PreparedObjects>;
}

/**
 * What a server had in memory beside its store. A server that begins with it shares the caches, and does not make or check its own objects:
 * that was done, and what clients changed since stays as it is.
 */
export interface ServerSnapshot {
  readonly caches: FeedSnapshot;
}

/** Which APIs are served, and what they accept. */
export interface ApiOptions {
  /** Gates that differ from Kubernetes 1.36's defaults. @default none */
  readonly featureGates?: ReadonlyMap<string, string>;
  /** What is served beside the defaults or no longer, in the form of `--runtime-config`. @default the defaults of 1.36 */
  readonly runtimeConfig?: ReadonlyMap<string, string>;
  /** Whether containers may be privileged; kube-apiserver's default is false. @default true */
  readonly allowPrivileged?: boolean;
}

export interface EventOptions {
  /** How long an Event stays after its last write, in milliseconds; 0: for ever. @default 1 h */
  readonly ttlMs?: number;
  /** For how long new Events share a lease of the store, in milliseconds. @default 60 s */
  readonly leaseReuseMs?: number;
}
