import { isNotFound } from "@coxswain/apimachinery/status";
import type { RestClient } from "@coxswain/client";
import type { Calls, KubernetesValue, ObjectRef } from "../contract/messages.js";
import { pathOf } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import { amount } from "./overview-feed.js";

/** What `metrics.k8s.io` measured last of a pod or a node. */
export async function readUsage(
  rest: RestClient,
  catalogue: Catalogue,
  ref: ObjectRef,
): Promise<Calls["usage"]["result"]> {
  const metrics = catalogue.find("metrics.k8s.io", ref.resource);
  if (ref.group !== "" || !metrics) return undefined;
  try {
    const { group, version } = metrics;
    return sumUsage((await rest.send({ method: "GET", path: pathOf({ ...ref, group, version }) })) as KubernetesValue);
  } catch (error) {
    if (isNotFound(error)) return undefined; // too young, or not running
    throw error;
  }
}

/** Pure: of a node as it is, of a pod its containers together. */
export function sumUsage({ usage, containers = [] }: KubernetesValue): { cpu: number; memory: number } {
  const measured = usage ? [{ usage }] : (containers as { usage: { cpu?: string; memory?: string } }[]);
  return measured.reduce(
    (sum, { usage: used }) => ({ cpu: sum.cpu + amount(used.cpu), memory: sum.memory + amount(used.memory) }),
    { cpu: 0, memory: 0 },
  );
}
