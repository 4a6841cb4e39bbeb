import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import type { FeatureGates } from "@coxswain/component/feature-gates";
import { addProcessMetrics, createMetrics, type MetricsRegistry } from "@coxswain/component/metrics";
import type { Runtime } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import type { KeyValueStore } from "@coxswain/storage";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { goPlatform, versionInfo } from "../../documents/version.js";
import { createDebugFlags } from "../../endpoints/paths/debug-flags.js";
import { createFlagz } from "../../endpoints/paths/flagz.js";
import type { HealthCheck, HealthChecks, OnChecked } from "../../endpoints/paths/health.js";
import { serverHealthChecks } from "../../endpoints/paths/health-checks.js";
import { createLogFiles } from "../../endpoints/paths/log-files.js";
import { createMetricsPages, metricsPaths } from "../../endpoints/paths/metrics-page.js";
import { firstOf, type PathSource } from "../../endpoints/paths/path-source.js";
import { createProfiling } from "../../endpoints/paths/profiling.js";
import { createStartHooks, type StartHook, type StartHooks } from "../../endpoints/paths/start-hooks.js";
import { createStatusz } from "../../endpoints/paths/statusz.js";
import { createAccessMetrics } from "../../filters/access-metrics.js";
import type { FilterDeps } from "../../filters/default-filters.js";
import { createImpersonationMetrics } from "../../filters/impersonation-metrics.js";
import { timed } from "../../filters/timed.js";
import { Watermark } from "../../metrics/watermark.js";
import type { Layer } from "../../request/latencies.js";
import { addCacheMetrics } from "../metrics/cache-metrics.js";
import { createRequestMetrics, type RequestMetrics } from "../metrics/request-metrics.js";
import { addServerFacts } from "../metrics/server-facts.js";
import type { LimitOptions } from "../requests/limit-options.js";
import { StallWatch } from "../requests/stall-watch.js";
import { createLifecycle, type Lifecycle } from "./lifecycle.js";
import { createStoreChecks, storeSize } from "./store-health.js";

/** What an operator sees of the server and may turn on or off. */
export interface ObservabilityOptions {
  /** Where this server counts, for a program that counts more than this. @default its own */
  readonly metrics?: MetricsRegistry;
  /** For the Strict-Transport-Security header. @default no such header */
  readonly strictTransportDirectives?: readonly string[];
  /** Origins whose scripts may use the API from a browser: regular expressions with Go's syntax. @default none */
  readonly allowedOrigins?: readonly string[];
  /** Whether `/debug/pprof/` and `/debug/flags/v` are there. @default true */
  readonly profiling?: boolean;
  /** For so long a server that is still starting counts as alive. @default 0 */
  readonly livezGraceMs?: number;
  /** Further conditions of `/healthz` and `/readyz`. @default none */
  readonly healthChecks?: readonly HealthCheck[];
  /** Names of things that were started before the server, for `poststarthook/…`. @default none */
  readonly startHooks?: readonly string[];
  /** The directory that `/logs/` shows. @default there is no such page */
  readonly logDirectory?: string;
  /** What `/flagz` shows. @default nothing */
  readonly flags?: () => ReadonlyMap<string, string>;
  /** Sets how much is logged. @default nothing happens */
  readonly setVerbosity?: (verbosity: number) => void;
}

export interface ObservabilityDeps {
  readonly store: Pick<KeyValueStore, "readRevision" | "status">;
  readonly feed: CacheFeed;
  readonly gates: FeatureGates;
  readonly runtime: Runtime;
  /** What the server does at its start. */
  readonly startHooks: readonly StartHook[];
  /** Why the store does not work, or nothing. */
  storeProblem(): string | undefined;
}

export interface Observability {
  readonly metrics: MetricsRegistry;
  readonly requests: RequestMetrics;
  readonly hooks: StartHooks;
  readonly lifecycle: Lifecycle;
  readonly stalls: StallWatch;
  readonly health: HealthChecks;
  readonly onChecked: OnChecked;
  /** Metrics, status and debugging pages. */
  readonly pages: PathSource;
  /** Those of them that `/` lists. */
  readonly listed: readonly string[];
  /** When the process began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly filters: Pick<
    FilterDeps,
    | "requestTimeoutMs"
    | "isRefusing"
    | "onExpired"
    | "strictTransportDirectives"
    | "allowedOrigins"
    | "goawayChance"
    | "impersonation"
    | "inFlight"
    | "timed"
    | "access"
  >;
}

/** Everything about the server that is not Kubernetes' API: what it counts, shows and refuses, and how it comes to its end. */
export function createObservability(
  options: ObservabilityOptions,
  limits: LimitOptions,
  { store, feed, gates, runtime, startHooks, storeProblem }: ObservabilityDeps,
): Observability {
  const { ioClock } = runtime;
  const metrics = options.metrics ?? createMetrics();
  const { startedAt } = addProcessMetrics(metrics, ioClock);
  const version = versionInfo({
    runtime: `node ${process.version}`,
    platform: goPlatform(process),
  });
  addServerFacts(metrics, { feed, version, gates, knownGates: builtInFeatureGates });
  addCacheMetrics(metrics, feed);
  const requests = createRequestMetrics(metrics);
  const lifecycle = createLifecycle();
  const hooks = createStartHooks(startHooks);
  const began = ioClock.monotonic();
  const stalls = new StallWatch({ ...runtime, metrics });
  const health = serverHealthChecks({
    ...createStoreChecks(store, ioClock, storeProblem),
    caches: storeProblem,
    process: () => stalls.problem(),
    isShuttingDown: () => lifecycle.isShuttingDown,
    hooks,
    more: options.healthChecks ?? [],
    livezGrace: { ms: options.livezGraceMs ?? 0, now: () => ioClock.monotonic() - began },
  });
  const healthMetrics = createMetrics({ countItself: false });
  const listed = listedPaths(options, gates);
  const refresh = storeSizeGauge(metrics, store, ioClock);
  const pages = [
    createMetricsPages({ metrics, healthMetrics, startedAt, refresh }),
    ...(listed.includes("/statusz") ? [createStatusz({ version, clock: ioClock, startedAt, paths: listed })] : []),
    ...(listed.includes("/flagz") ? [createFlagz(options.flags ?? (() => new Map()))] : []),
    ...(options.profiling === false
      ? []
      : [createProfiling(ioClock), createDebugFlags(options.setVerbosity ?? (() => {}))]),
    ...(options.logDirectory === undefined ? [] : [createLogFiles(options.logDirectory)]),
  ];
  return {
    metrics,
    requests,
    hooks,
    lifecycle,
    stalls,
    health,
    onChecked: healthCounter(healthMetrics),
    pages: firstOf(...pages),
    startedAt,
    listed: [...new Set([...listed, ...metricsPaths])],
    filters: {
      requestTimeoutMs: limits.requestTimeoutMs ?? 60_000,
      isRefusing: () => lifecycle.isRefusing,
      onExpired: (context) => requests.terminated(context, 504),
      strictTransportDirectives: options.strictTransportDirectives ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      goawayChance: limits.goawayChance ?? 0,
      inFlight: inFlightLimits(metrics, ioClock, limits, requests),
      impersonation: createImpersonationMetrics(metrics, ioClock),
      timed: filterTimer(metrics, ioClock),
      access: createAccessMetrics(metrics, ioClock),
    },
  };
}

/** Pages that the index of paths names. */
const listedPaths = ({ logDirectory }: ObservabilityOptions, gates: ObservabilityDeps["gates"]): string[] => [
  ...(gates.enabled("ComponentFlagz") ? ["/flagz"] : []),
  "/healthz",
  "/livez",
  ...(logDirectory === undefined ? [] : ["/logs"]),
  "/metrics",
  "/readyz",
  ...(gates.enabled("ComponentStatusz") ? ["/statusz"] : []),
  "/version",
];

function inFlightLimits(
  metrics: Metrics,
  clock: Clock,
  limits: LimitOptions,
  requests: RequestMetrics,
): FilterDeps["inFlight"] {
  const readOnly = { atOnce: new Watermark(clock), limit: limits.maxRequestsInFlight ?? 0 };
  const mutating = { atOnce: new Watermark(clock), limit: limits.maxMutatingRequestsInFlight ?? 0 };
  metrics.collectGauge(
    {
      name: "apiserver_current_inflight_requests",
      help: "The most requests that were under way at once in the last second.",
      labels: ["request_kind"],
      stability: "STABLE",
    },
    (report) => {
      report(readOnly.atOnce.highest, "readOnly");
      report(mutating.atOnce.highest, "mutating");
    },
  );
  return { readOnly, mutating, onRefused: (context) => requests.terminated(context, 429) };
}

const filterBuckets = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30];

/** Filters whose latency the audit log has for slow requests. */
const layers: Readonly<Partial<Record<string, Layer>>> = {
  authentication: "authentication",
  impersonation: "impersonation",
  constrainedimpersonation: "impersonation",
  authorization: "authorization",
};

function filterTimer(metrics: Metrics, clock: Clock): FilterDeps["timed"] {
  const durations = metrics.histogram({
    name: "apiserver_request_filter_duration_seconds",
    help: "How long a filter took to let a request pass or to answer it, in seconds.",
    labels: ["filter"],
    buckets: filterBuckets,
    stability: "ALPHA",
  });
  return (name, filter) => {
    const series = durations.with(name);
    const layer = layers[name];
    return timed(filter, clock, (context, ms) => {
      series.observe(ms / 1000);
      if (layer) context.latencies?.add(layer, ms);
    });
  };
}

/** Updates the size of the store; keeps the last one where it is not known. */
function storeSizeGauge(metrics: Metrics, store: ObservabilityDeps["store"], clock: Clock): () => Promise<void> {
  const size = metrics.gauge({
    name: "apiserver_storage_size_bytes",
    help: "How large the store is on disk, in bytes.",
    labels: ["storage_cluster_id"],
    stability: "STABLE",
  });
  return async () => {
    const bytes = await storeSize(store, clock);
    // Upstream numbers its clusters of etcd; here there is one store.
    if (bytes !== undefined) size.with("etcd-0").set(bytes);
  };
}

/** Upstream counts the checks of each endpoint when somebody asks for the whole of it. */
function healthCounter(metrics: Metrics): OnChecked {
  const last = metrics.gauge({
    name: "kubernetes_healthcheck",
    help: "How a health check went the last time: 1 for well.",
    labels: ["name", "type"],
    stability: "STABLE",
  });
  const total = metrics.counter({
    name: "kubernetes_healthchecks_total",
    help: "How often a health check was made, by how it went.",
    labels: ["name", "status", "type"],
    stability: "STABLE",
  });
  return (endpoint, name, ok) => {
    last.with(name, endpoint).set(ok ? 1 : 0);
    total.with(name, ok ? "success" : "error", endpoint).add(1);
  };
}
