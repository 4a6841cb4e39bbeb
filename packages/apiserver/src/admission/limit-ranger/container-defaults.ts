import type { Container, LimitRange, LimitRangeItem } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { compareUtf8 } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import type { StoredPod } from "@coxswain/kinds/core/pod";

/** Gives containers the range's defaults where they have no amounts, and annotates the pod with what was set. */
export function setContainerDefaults(pod: StoredPod, { spec }: LimitRange): void {
  const items = (spec?.limits ?? []).filter(({ type }) => type === "Container");
  const given: string[] = [];
  for (const container of pod.spec.containers ?? []) append(given, setDefaults(container, "container", items));
  for (const container of pod.spec.initContainers ?? []) append(given, setDefaults(container, "init container", items));
  if (given.length > 0)
    setOwn(
      (pod.metadata.annotations ??= {}),
      "kubernetes.io/limit-ranger",
      `LimitRanger plugin set: ${given.join("; ")}`,
    );
}

function setDefaults(container: Container, what: string, items: readonly LimitRangeItem[]): string[] {
  const requests = fill(
    container,
    "requests",
    items.map((item) => item.defaultRequest),
  );
  const limits = fill(
    container,
    "limits",
    items.map((item) => item.default),
  );
  return [
    ...(requests.length > 0 ? [`${requests.join(", ")} request for ${what} ${container.name}`] : []),
    ...(limits.length > 0 ? [`${limits.join(", ")} limit for ${what} ${container.name}`] : []),
  ];
}

/** The names of what was missing, sorted. Of several defaults the last counts. */
function fill(
  container: Container,
  member: "requests" | "limits",
  defaults: readonly (Readonly<Record<string, string>> | undefined)[],
): string[] {
  const wanted = new Map(defaults.flatMap((each) => ownEntries(each)));
  const names = [...wanted.keys()]
    .filter((name) => getOwn(container.resources?.[member], name) === undefined)
    .sort(compareUtf8);
  for (const name of names) setOwn(((container.resources ??= {})[member] ??= {}), name, wanted.get(name) as string);
  return names;
}
