import type { DeepReadonly } from "@coxswain/api";
import type { Container, PodSpec, ResourceRequirements } from "@coxswain/api/core/v1";
import { getOwn, ownKeys, setOwn } from "@coxswain/apimachinery/own";

type Spec = DeepReadonly<PodSpec>;
type Amounts = Readonly<Record<string, string>> | undefined;
type Requirements = DeepReadonly<ResourceRequirements> | undefined;

/** The new spec with the CPU and memory of the old one: what is left differs only if something else was changed. */
export function withoutResize(next: Spec, old: Spec): Spec {
  const masked = (list: "containers" | "initContainers") =>
    next[list]?.map((container, i) => withoutOwnResize(container, old[list]?.[i]));
  return {
    ...next,
    containers: masked("containers"),
    initContainers: masked("initContainers"),
    resources: maskPodLevel(next.resources, old.resources),
  } as Spec;
}

/** Claims of a container are lost here as upstream loses them (pkg/registry/core/pod/strategy.go, dropNonResizeUpdates), so that a container with claims cannot be resized. */
const withoutOwnResize = (
  container: DeepReadonly<Container>,
  old: DeepReadonly<Container> | undefined,
): DeepReadonly<Container> => ({
  ...container,
  resources: {
    limits: maskAmounts(container.resources?.limits, old?.resources?.limits),
    requests: maskAmounts(container.resources?.requests, old?.resources?.requests),
  },
});

export const hasAmounts = (resources: Requirements): boolean =>
  ownKeys(resources?.requests).length + ownKeys(resources?.limits).length > 0;

function maskPodLevel(next: Requirements, old: Requirements): Requirements {
  if (!next || (!hasAmounts(next) && !hasAmounts(old))) return next;
  const masked = {
    ...next,
    requests: maskAmounts(next.requests, old?.requests),
    limits: maskAmounts(next.limits, old?.limits),
  };
  const empty = ownKeys(masked.requests).length === 0 && ownKeys(masked.limits).length === 0 && !next.claims?.length;
  return !old && empty ? undefined : masked;
}

function maskAmounts(next: Amounts, old: Amounts): Record<string, string> {
  const amounts: Record<string, string> = {};
  for (const name of new Set([...ownKeys(next), "cpu", "memory"])) {
    const amount = getOwn(name === "cpu" || name === "memory" ? old : next, name);
    if (amount !== undefined) setOwn(amounts, name, amount);
  }
  return amounts;
}
