import type { KubernetesValue } from "../contract/messages.js";

/** Members differ by kind: each is looked at before it is used. */
type Members = KubernetesValue[string];

/** Pure: the members of an object that matter most, as pairs of words. Kinds without a row get what all have. */
export function factsOf(object: KubernetesValue): [name: string, value: string][] {
  const { metadata = {}, spec = {}, status = {} } = object as KubernetesValue & { spec?: Members; status?: Members };
  const facts: [string, unknown][] = [
    ["Created", metadata.creationTimestamp],
    ["Status", status.phase],
    ["Node", spec.nodeName],
    ["Address", status.podIP ?? spec.clusterIP],
    [
      "Replicas",
      typeof spec.replicas === "number" ? `${status.readyReplicas ?? 0} ready of ${spec.replicas}` : undefined,
    ],
    ["Images", imagesOf(spec)],
    ["Service account", spec.serviceAccountName],
    ["Restarts", restartsOf(status)],
    ["Selector", selectorOf(spec)],
    ["Type", object.kind === "Service" ? spec.type : object["type"]],
    ["Ports", portsOf(spec)],
    ["Kubelet", status.nodeInfo?.kubeletVersion],
    ["Runtime", status.nodeInfo?.containerRuntimeVersion],
    ["Finalizers", metadata.finalizers?.join(", ")],
    ["Revision", metadata.resourceVersion],
  ];
  return facts.flatMap(([name, value]) =>
    value === undefined || value === null || value === "" ? [] : [[name, String(value)] as [string, string]],
  );
}

function imagesOf(spec: Members): string | undefined {
  const containers: { image?: string }[] = spec.containers ?? spec.template?.spec?.containers ?? [];
  const images = containers.flatMap(({ image }) => image ?? []);
  return images.length === 0 ? undefined : images.join(", ");
}

function restartsOf(status: Members): number | undefined {
  const containers: { restartCount?: number }[] | undefined = status.containerStatuses;
  return containers?.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

function selectorOf(spec: Members): string | undefined {
  const labels: Record<string, string> | undefined =
    spec.selector?.matchLabels ?? (typeof spec.selector === "object" ? spec.selector : undefined);
  if (!labels) return undefined;
  const pairs = Object.entries(labels).filter(([, value]) => typeof value === "string");
  return pairs.map(([name, value]) => `${name}=${value}`).join(", ");
}

function portsOf(spec: Members): string | undefined {
  const ports: { port?: number; nodePort?: number; protocol?: string }[] | undefined = Array.isArray(spec.ports)
    ? spec.ports
    : undefined;
  return ports?.map(({ port, protocol }) => `${port}/${protocol ?? "TCP"}`).join(", ");
}
