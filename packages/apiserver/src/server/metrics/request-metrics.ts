import type { AnyKind } from "@coxswain/kinds";
import { builtInDeprecation } from "@coxswain/kinds/definition";
import { type CounterSeries, exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import { isLongRunning } from "../../request/long-running.js";
import type { RequestContext } from "../../request/request-context.js";
import { dryRunOf, reportedVerb, scopeOf } from "./request-labels.js";
import { type RequestLabels, type RequestSeries, RequestSeriesTable } from "./request-series.js";

const seconds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const labelsOf = ["verb", "group", "version", "resource", "subresource", "scope", "component"];

/** What the server counts of its requests, under upstream's names. */
export interface RequestMetrics {
  /** A request was answered. Only those that a handler took count: paths that clients make up must not become labels. */
  answered(
    context: RequestContext,
    outcome: { readonly code: number; readonly bytes: number; readonly ms: number },
  ): void;
  /** A request that lasts has begun; call what this returns when it is over. */
  began(context: RequestContext): () => void;
  /** The server refused or timed out a request to protect itself. */
  terminated(context: RequestContext, code: number): void;
  /** Called for every event that a watch of the kind sends. */
  watchEvents(kind: Pick<AnyKind, "group" | "version" | "resource">): (bytes: number) => void;
}

export function createRequestMetrics(metrics: Metrics): RequestMetrics {
  const { total, terminations, eventTotal, eventSizes, ...families } = createFamilies(metrics);
  const table = new RequestSeriesTable((labels) => openSeries(labels, families));
  const totalOf = (
    { labels: { verb, dryRun, group, version, resource, subresource, scope, component }, totals }: RequestSeries,
    code: number,
  ): CounterSeries => {
    let series = totals.get(code);
    if (!series)
      totals.set(
        code,
        (series = total.with(verb, dryRun, group, version, resource, subresource, scope, component, String(code))),
      );
    return series;
  };
  const counters = new Map<string, (bytes: number) => void>();

  return {
    answered(context, { code, bytes, ms }) {
      if (!context.isRouted) return;
      const series = table.find(readLabels(context));
      totalOf(series, code).add(1);
      series.duration.observe(ms / 1000);
      series.sli?.observe((ms - context.queuedMs) / 1000);
      series.sizes?.observe(bytes);
    },
    began(context) {
      if (!context.isRouted || !isLongRunning(context.info)) return nothing;
      const gauge = table.find(readLabels(context)).running;
      gauge?.add(1);
      return () => gauge?.add(-1);
    },
    terminated(context, code) {
      const { verb, group, version, resource, subresource, scope, component } = readLabels(context);
      terminations.with(verb, group, version, resource, subresource, scope, component, String(code)).add(1);
    },
    watchEvents({ group, version, resource }) {
      const key = `${group}/${version}/${resource}`;
      let observe = counters.get(key);
      if (!observe) {
        const count = eventTotal.with(group, version, resource);
        const size = eventSizes.with(group, version, resource);
        counters.set(
          key,
          (observe = (bytes) => {
            count.add(1);
            size.observe(bytes);
          }),
        );
      }
      return observe;
    },
  };
}

function createFamilies(metrics: Metrics) {
  const total = metrics.counter({
    name: "apiserver_request_total",
    help: "Requests that were answered, by what they asked for and the status code.",
    labels: ["verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component", "code"],
    stability: "STABLE",
  });
  const durations = metrics.histogram({
    name: "apiserver_request_duration_seconds",
    help: "How long requests took, in seconds.",
    labels: ["verb", "dry_run", "group", "version", "resource", "subresource", "scope", "component"],
    buckets: seconds,
    stability: "STABLE",
  });
  const slis = metrics.histogram({
    name: "apiserver_request_sli_duration_seconds",
    help: "How long requests took, in seconds, without the time spent in webhooks and in queues.",
    labels: labelsOf,
    buckets: seconds.slice(2),
    stability: "ALPHA",
  });
  const sizes = metrics.histogram({
    name: "apiserver_response_sizes",
    help: "How long the answers to reads were, in bytes.",
    labels: labelsOf,
    buckets: exponentialBuckets(1000, 10, 7),
    stability: "STABLE",
  });
  const running = metrics.gauge({
    name: "apiserver_longrunning_requests",
    help: "Watches and other requests without an end that are under way.",
    labels: labelsOf,
    stability: "STABLE",
  });
  const terminations = metrics.counter({
    name: "apiserver_request_terminations_total",
    help: "Requests that the server refused or timed out to protect itself.",
    labels: [...labelsOf, "code"],
    stability: "ALPHA",
  });
  const eventTotal = metrics.counter({
    name: "apiserver_watch_events_total",
    help: "Events sent to watchers.",
    labels: ["group", "version", "resource"],
    stability: "ALPHA",
  });
  const eventSizes = metrics.histogram({
    name: "apiserver_watch_events_sizes",
    help: "How long the events sent to watchers were, in bytes.",
    labels: ["group", "version", "resource"],
    buckets: exponentialBuckets(1024, 2, 8),
    stability: "ALPHA",
  });
  const deprecated = metrics.gauge({
    name: "apiserver_requested_deprecated_apis",
    help: "Deprecated APIs that somebody has asked for: 1 for each.",
    labels: ["group", "version", "resource", "subresource", "removed_release"],
    stability: "STABLE",
  });
  return { total, durations, slis, sizes, running, terminations, eventTotal, eventSizes, deprecated };
}

type SeriesFamilies = Pick<
  ReturnType<typeof createFamilies>,
  "durations" | "slis" | "sizes" | "running" | "deprecated"
>;

function openSeries(
  labels: RequestLabels,
  { durations, slis, sizes, running, deprecated }: SeriesFamilies,
): RequestSeries {
  const { verb, dryRun, group, version, resource, subresource, scope, component } = labels;
  // Asked once for each set of labels, and not for each request.
  const deprecation = builtInDeprecation(labels);
  if (deprecation) deprecated.with(group, version, resource, subresource, deprecation.removedRelease ?? "").set(1);
  const plain = [verb, group, version, resource, subresource, scope, component];
  return {
    labels,
    totals: new Map(),
    duration: durations.with(verb, dryRun, group, version, resource, subresource, scope, component),
    sli: dryRun === "" ? slis.with(...plain) : undefined,
    sizes: verb === "GET" || verb === "LIST" ? sizes.with(...plain) : undefined,
    running: verb === "WATCH" || verb === "CONNECT" ? running.with(...plain) : undefined,
  };
}

const nothing = (): void => {};

/** A path that is no resource stands in the place of the subresource, by its first segment: there are few of those. */
function readLabels(context: RequestContext): RequestLabels {
  const { info } = context;
  const scope = scopeOf(context);
  const verb = reportedVerb(context, scope);
  if (info.isResource)
    return {
      verb,
      dryRun: dryRunOf(context),
      group: info.group,
      version: info.version,
      resource: info.resource,
      subresource: info.subresource,
      scope,
      component: "apiserver",
    };
  const end = info.path.indexOf("/", 1);
  return {
    verb,
    dryRun: "",
    group: "",
    version: "",
    resource: "",
    subresource: end < 0 ? info.path : info.path.slice(0, end),
    scope,
    component: "",
  };
}
