import type { Container, PodSpec } from "@coxswain/api/core/v1";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import type { Amounts, Resources } from "./constraints.js";

/** What a pod may have of its own, beside its containers. */
const podLevel = (resource: string): boolean =>
  resource === "cpu" || resource === "memory" || resource.startsWith("hugepages-");

/** What the whole pod asks for and may use: its containers together, or the greediest moment of its start. */
export const podResources = (spec: PodSpec): Resources => ({
  requests: total(spec, "requests"),
  limits: total(spec, "limits"),
});

function total(spec: PodSpec, member: "requests" | "limits"): Amounts {
  const sum: Record<string, string> = {};
  for (const container of spec.containers ?? []) add(sum, amountsOf(container, member));
  const sidecars: Record<string, string> = {};
  const starting: Record<string, string> = {};
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container, member);
    const now = { ...sidecars };
    add(now, own);
    if (container.restartPolicy === "Always") {
      add(sum, own);
      add(sidecars, own);
    }
    raise(starting, now);
  }
  raise(sum, starting);
  for (const [resource, quantity] of ownEntries(spec.resources?.[member]))
    if (podLevel(resource)) setOwn(sum, resource, quantity);
  return sum;
}

const amountsOf = ({ resources }: Container, member: "requests" | "limits"): Amounts => resources?.[member];

function add(sum: Record<string, string>, more: Amounts): void {
  for (const [resource, quantity] of ownEntries(more)) {
    const before = getOwn(sum, resource);
    setOwn(
      sum,
      resource,
      before === undefined ? quantity : parseQuantity(before).add(parseQuantity(quantity)).toString(),
    );
  }
}

function raise(list: Record<string, string>, other: Amounts): void {
  for (const [resource, quantity] of ownEntries(other)) {
    const before = getOwn(list, resource);
    if (before === undefined || parseQuantity(quantity).compare(parseQuantity(before)) > 0)
      setOwn(list, resource, quantity);
  }
}
