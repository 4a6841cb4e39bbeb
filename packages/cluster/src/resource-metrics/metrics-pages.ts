import { parseLabelSelector, type Selector, SelectorError } from "@coxswain/apimachinery/selector";
import { badRequest, notFound, type Status } from "@coxswain/apimachinery/status";
import type { Page, PageRequest, PageSource } from "@coxswain/component/endpoint";
import type { NodeMetrics, PodMetrics, UsageReader } from "@coxswain/kubelet";

const group = "metrics.k8s.io";
const groupVersion = `${group}/v1beta1`;
const root = `/apis/${groupVersion}`;

/** The API `metrics.k8s.io/v1beta1`, as metrics-server serves it: for `kubectl top` and autoscalers. */
export function createMetricsPages(usage: UsageReader): PageSource {
  return async (request) => {
    if (request.path === "/healthz" || request.path === "/readyz") return { body: "ok" };
    const document = documents[request.path.replace(/\/$/, "")];
    if (document) return json(document);
    if (!request.path.startsWith(`${root}/`)) return undefined;
    const parts = request.path.slice(root.length + 1).split("/");
    if (parts[0] === "nodes") return nodesPage(usage, parts[1], request);
    if (parts[0] === "pods" && parts.length === 1)
      return listPage("PodMetricsList", await usage.allPodMetrics(), request);
    const [, namespace = "", resource, name] = parts;
    if (parts[0] !== "namespaces" || resource !== "pods") return undefined;
    if (name === undefined) return listPage("PodMetricsList", await usage.allPodMetrics(namespace), request);
    const found = await usage.podMetrics(namespace, name);
    return found ? json(found) : missing("pods", `${namespace}/${name}`);
  };
}

async function nodesPage(usage: UsageReader, name: string | undefined, request: PageRequest): Promise<Page> {
  if (name === undefined) return listPage("NodeMetricsList", await usage.allNodeMetrics(), request);
  const found = await usage.nodeMetrics(name);
  return found ? json(found) : missing("nodes", name);
}

function listPage(kind: string, items: readonly (NodeMetrics | PodMetrics)[], { query }: PageRequest): Page {
  let selector: Selector;
  try {
    selector = parseLabelSelector(query.get("labelSelector") ?? "");
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return status(badRequest(error.message).status);
  }
  const selected = items.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  return json({ kind, apiVersion: groupVersion, metadata: {}, items: selected });
}

const missing = (resource: string, name: string): Page => status(notFound({ group, resource }, name).status);

const status = (content: Status): Page => ({
  ...json(content),
  status: content.code ?? 500,
});

const json = (value: unknown): Page => ({ contentType: "application/json", body: `${JSON.stringify(value)}\n` });

const version = { groupVersion, version: "v1beta1" };
const apiGroup = { name: group, versions: [version], preferredVersion: version };

/** Discovery, in its older form: the aggregator merges it into the new one. */
const documents: Readonly<Record<string, object>> = {
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [apiGroup] },
  [`/apis/${group}`]: { kind: "APIGroup", apiVersion: "v1", ...apiGroup },
  [root]: {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion,
    resources: [
      { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
      { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] },
    ],
  },
};
