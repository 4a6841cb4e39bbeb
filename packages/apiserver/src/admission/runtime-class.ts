import type { Toleration } from "@coxswain/api/core/v1";
import type { RuntimeClass } from "@coxswain/api/node/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { cloneJson, equalJson, wasGivenEmpty } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries, ownKeys, setOwn } from "@coxswain/apimachinery/own";
import { StatusError } from "@coxswain/apimachinery/status";
import { checkPathSegmentName } from "@coxswain/apimachinery/validation";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../cache/lister.js";
import { type AdmissionAttributes, type AdmissionPlugin, isPodItself } from "./admission.js";
import { forbid } from "./forbid.js";

/** A pod gets the overhead of its runtime and is sent to the nodes that have it. */
export function createRuntimeClass(classes: Lister<RuntimeClass>): AdmissionPlugin {
  function classOf(attributes: AdmissionAttributes): RuntimeClass | undefined {
    const name = (attributes.object as StoredPod).spec.runtimeClassName;
    if (name === undefined) return undefined;
    const found = classes.get(`/registry/runtimeclasses/${name}`);
    if (!found) checkAskable(name);
    if (!found) throw forbid(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
    return found;
  }

  return {
    name: "RuntimeClass",
    operations: ["CREATE"],
    admit(attributes) {
      if (!isPodItself(attributes)) return;
      const found = classOf(attributes);
      if (found?.overhead) setOverhead(attributes, found.overhead.podFixed);
      if (found?.scheduling) setScheduling(attributes, found.scheduling);
    },
    validate(attributes) {
      if (!isPodItself(attributes)) return;
      const found = classOf(attributes);
      const { overhead } = (attributes.object as StoredPod).spec;
      if (found?.overhead) {
        if (!equalJson(found.overhead.podFixed ?? {}, overhead ?? {}))
          throw forbid(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
      } else if (overhead !== undefined || wasGivenEmpty((attributes.object as StoredPod).spec, "overhead")) {
        throw forbid(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
    },
  };
}

/** Upstream asks the server once more before it gives up, through a client that refuses names which fit no path. */
function checkAskable(name: string): void {
  const problems = checkPathSegmentName(name);
  const message =
    name === ""
      ? "resource name may not be empty"
      : problems.length > 0
        ? `invalid resource name ${quoteGo(name)}: [${problems.join(" ")}]`
        : undefined;
  if (message !== undefined) throw new StatusError({ code: 500, reason: "", message });
}

function setOverhead(attributes: AdmissionAttributes, fixed: Readonly<Record<string, string>> | undefined): void {
  const { spec } = attributes.object as StoredPod;
  if (ownKeys(spec.overhead).length > 0 && !equalJson(spec.overhead, fixed))
    throw forbid(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  if (fixed) spec.overhead = cloneJson(fixed);
}

function setScheduling(
  attributes: AdmissionAttributes,
  { nodeSelector, tolerations }: NonNullable<RuntimeClass["scheduling"]>,
): void {
  const { spec } = attributes.object as StoredPod;
  for (const [key, value] of ownEntries(nodeSelector)) {
    const own = getOwn(spec.nodeSelector, key);
    if (own !== undefined && own !== value)
      throw forbid(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    setOwn((spec.nodeSelector ??= {}), key, value);
  }
  const own: Toleration[] = spec.tolerations ?? [];
  const more = (tolerations ?? []).filter((toleration) => !own.some((each) => equalJson(each, toleration)));
  if (more.length > 0) spec.tolerations = [...own, ...cloneJson(more)];
}
