import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import { isSidecar } from "../visit-containers.js";

type Amounts = Map<string, Quantity>;

/**
 * What the containers of a pod need together. Init containers run one after another beside the sidecars that started before
 * them, so that the greatest moment counts.
 * https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/753-sidecar-containers#resources-calculation-for-scheduling-and-pod-admission
 */
export function aggregateResources(
  { containers, initContainers = [] }: DeepReadonly<PodSpec>,
  kind: "requests" | "limits",
): ReadonlyMap<string, Quantity> {
  const total: Amounts = new Map();
  for (const { resources } of containers ?? []) add(total, amounts(resources?.[kind]));
  const sidecars: Amounts = new Map();
  const greatest: Amounts = new Map();
  for (const container of initContainers) {
    const own = amounts(container.resources?.[kind]);
    if (isSidecar(container)) {
      add(total, own);
      add(sidecars, own);
      raise(greatest, sidecars);
    } else {
      add(own, sidecars);
      raise(greatest, own);
    }
  }
  raise(total, greatest);
  return total;
}

const amounts = (list: Readonly<Record<string, string>> | undefined): Amounts =>
  new Map(ownEntries(list).map(([name, text]) => [name, parseQuantity(text)]));

function add(sums: Amounts, more: Amounts): void {
  for (const [name, quantity] of more) sums.set(name, sums.get(name)?.add(quantity) ?? quantity);
}

function raise(sums: Amounts, other: Amounts): void {
  for (const [name, quantity] of other) {
    const now = sums.get(name);
    if (now === undefined || quantity.compare(now) > 0) sums.set(name, quantity);
  }
}
