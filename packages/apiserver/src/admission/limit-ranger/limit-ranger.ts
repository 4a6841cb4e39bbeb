import type { LimitRange, LimitRangeItem, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { ownEntries } from "@coxswain/apimachinery/own";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../../cache/lister.js";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.js";
import { forbid } from "../forbid.js";
import { atLeast, atMost, type Constraint, type Resources, ratioAtMost, requestAtMost } from "./constraints.js";
import { setContainerDefaults } from "./container-defaults.js";
import { podResources } from "./pod-resources.js";

/** How much the pods, containers and claims of a namespace may ask for. */
export function createLimitRanger(ranges: Lister<LimitRange>): AdmissionPlugin {
  const rangesFor = (attributes: AdmissionAttributes): Iterable<LimitRange> =>
    applies(attributes) ? ranges.list(`/registry/limitranges/${attributes.namespace}/`) : [];
  return {
    name: "LimitRanger",
    operations: ["CREATE", "UPDATE"],
    admit(attributes) {
      for (const range of rangesFor(attributes))
        if (attributes.kind.kind === "Pod") setContainerDefaults(attributes.object as StoredPod, range);
    },
    validate(attributes) {
      for (const range of rangesFor(attributes)) {
        const problems = (range.spec?.limits ?? []).flatMap((item) => check(attributes, item));
        if (problems.length > 0)
          throw forbid(
            attributes,
            problems.length === 1 ? (problems[0] ?? "") : `[${[...new Set(problems)].join(", ")}]`,
          );
      }
    },
  };
}

/** Pods when they are made or resized, claims always. What is being deleted is left alone. */
function applies({ kind, subresource, operation, old }: AdmissionAttributes): boolean {
  if (kind.group !== "" || old?.metadata.deletionTimestamp) return false;
  if (kind.kind === "Pod")
    return subresource === "resize" ? operation === "UPDATE" : subresource === "" && operation === "CREATE";
  return kind.kind === "PersistentVolumeClaim" && subresource === "";
}

function check({ kind, object }: AdmissionAttributes, item: LimitRangeItem): string[] {
  if (kind.kind === "PersistentVolumeClaim") {
    const requests = (object as PersistentVolumeClaim).spec?.resources?.requests;
    return item.type === "PersistentVolumeClaim"
      ? [
          ...hold(atLeast, item, item.min, { requests, limits: undefined }),
          ...hold(requestAtMost, item, item.max, { requests, limits: undefined }),
        ]
      : [];
  }
  const { spec } = object as StoredPod;
  if (item.type === "Pod") return checkAll(item, podResources(spec));
  if (item.type !== "Container") return [];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
    checkAll(item, { requests: resources?.requests, limits: resources?.limits }),
  );
}

const checkAll = (item: LimitRangeItem, resources: Resources): string[] => [
  ...hold(atLeast, item, item.min, resources),
  ...hold(atMost, item, item.max, resources),
  ...hold(ratioAtMost, item, item.maxLimitRequestRatio, resources),
];

const hold = (
  constraint: Constraint,
  { type }: LimitRangeItem,
  enforced: Readonly<Record<string, string>> | undefined,
  resources: Resources,
): string[] =>
  ownEntries(enforced).flatMap(([resource, quantity]) => constraint(type, resource, quantity, resources) ?? []);
