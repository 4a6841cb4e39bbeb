import { formatGroupResource, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityMilliValue } from "@coxswain/apimachinery/quantity";
import { parseDurationMs, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import { messageOf } from "../pods/pod-control.js";
import type { DescribedObject, MetricsSource, PodMetric, PodMetrics } from "../settings/metrics-source.js";

/** The window of a metrics server that sends none. */
const defaultWindowMs = 60_000;
const customGroup = "custom.metrics.k8s.io";

interface PodUsage {
  readonly metadata?: { readonly name?: string };
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly { readonly name: string; readonly usage?: Readonly<Record<string, string>> }[];
}

interface MetricValue {
  readonly describedObject?: { readonly name?: string };
  readonly timestamp?: string;
  /** v1beta2, v1beta1 */
  readonly windowSeconds?: number;
  readonly window?: number;
  readonly value: string;
}

/** The metrics APIs, whichever server has them: metrics.k8s.io, custom.metrics.k8s.io, external.metrics.k8s.io. */
export function createMetricsApis(client: Client): MetricsSource {
  async function get<T>(api: string, path: string, query: Record<string, string>): Promise<readonly T[]> {
    const given = Object.entries(query).filter(([, value]) => value !== "");
    try {
      const list = (await client.rest.send({ method: "GET", path, query: given })) as { items?: readonly T[] };
      return list.items ?? [];
    } catch (error) {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${messageOf(error)}`, { cause: error });
    }
  }
  async function getSome<T>(api: string, path: string, query: Record<string, string>): Promise<readonly T[]> {
    const items = await get<T>(api, path, query);
    if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
    return items;
  }
  /** Of the versions that are served, the preferred one. */
  async function customPath(): Promise<string> {
    const { groups } = await client.server.surface();
    const served = groups.find(({ name }) => name === customGroup);
    return `/apis/${customGroup}/${served?.preferredVersion ?? "v1beta2"}`;
  }
  async function objectPath(namespace: string, { apiVersion = "", kind, name }: DescribedObject): Promise<string> {
    const group = parseGroupVersion(apiVersion)?.group ?? "";
    // Of namespaces only the own one can be asked about.
    if (kind === "Namespace" && group === "") return `namespaces/${segment(namespace)}/metrics`;
    const { resource } = await client.mapper.mapping({ group, kind });
    return `namespaces/${segment(namespace)}/${formatGroupResource(resource)}/${segment(name)}`;
  }
  return {
    async resource({ namespace, selector, resource, container }) {
      const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${segment(namespace)}/pods`;
      const items = await getSome<PodUsage>("resource", path, { labelSelector: String(selector) });
      return podMetrics(items, (usage) => usageOf(usage, resource, container));
    },
    async pods({ namespace, selector, metric, metricSelector }) {
      const path = `${await customPath()}/namespaces/${segment(namespace)}/pods/*/${segment(metric)}`;
      const query = { labelSelector: String(selector), metricLabelSelector: String(metricSelector) };
      const items = await getSome<MetricValue>("custom", path, query);
      return new Map(items.map((item) => [item.describedObject?.name ?? "", metricOf(item)]));
    },
    async object({ namespace, object, metric, metricSelector }) {
      const path = `${await customPath()}/${await objectPath(namespace, object)}/${segment(metric)}`;
      const items = await get<MetricValue>("custom", path, { metricLabelSelector: String(metricSelector) });
      const [item] = items;
      if (item === undefined || items.length > 1)
        throw new Error(
          `unable to fetch metrics from custom metrics API: the custom metrics API server returned ${items.length} results when we asked for exactly one`,
        );
      return quantityMilliValue(item.value);
    },
    async external({ namespace, metric, metricSelector }) {
      const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${segment(namespace)}/${segment(metric)}`;
      const items = await getSome<MetricValue>("external", path, { labelSelector: String(metricSelector) });
      return items.map(({ value }) => quantityMilliValue(value));
    },
  };
}

const segment = encodeURIComponent;

const metricOf = ({ timestamp = "", windowSeconds, window, value }: MetricValue): PodMetric => {
  const seconds = windowSeconds ?? window;
  return {
    timestampMs: parseTimeMs(timestamp) ?? 0,
    windowMs: seconds === undefined ? defaultWindowMs : seconds * 1000,
    value: quantityMilliValue(value),
  };
};

/** Pods of which nothing is known are left out. */
function podMetrics(items: readonly PodUsage[], valueOf: (usage: PodUsage) => number | undefined): PodMetrics {
  const metrics = new Map<string, PodMetric>();
  for (const item of items) {
    const value = valueOf(item);
    if (value === undefined) continue;
    const timestampMs = parseTimeMs(item.timestamp ?? "") ?? 0;
    metrics.set(item.metadata?.name ?? "", { timestampMs, windowMs: parseDurationMs(item.window ?? "") ?? 0, value });
  }
  return metrics;
}

/** Undefined: a container has no value for the resource. */
function usageOf({ containers = [] }: PodUsage, resource: string, container?: string): number | undefined {
  const asked = container === undefined ? containers : containers.filter(({ name }) => name === container);
  if (asked.length === 0) return undefined;
  let sum = 0;
  for (const { usage } of asked) {
    const text = getOwn(usage, resource);
    if (text === undefined) return undefined;
    sum += quantityMilliValue(text);
  }
  return sum;
}
