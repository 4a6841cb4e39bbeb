import type { DeepReadonly } from "@coxswain/api";
import type { PriorityClass } from "@coxswain/api/scheduling/v1";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../cache/lister.js";
import { type AdmissionAttributes, type AdmissionPlugin, isPodItself } from "./admission.js";
import { forbid } from "./forbid.js";

type Class = DeepReadonly<PriorityClass>;

const prefix = "/registry/priorityclasses/";

/** A pod's priority is the number of its class; without a class that of the default one, or 0. */
export function createPriority(classes: Lister<PriorityClass>): AdmissionPlugin {
  /** Should two be the default, by a race, the lower one is. */
  const defaultClass = (): Class | undefined =>
    [...classes.list(prefix)]
      .filter(({ globalDefault }) => globalDefault)
      .sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0];

  function classOf(attributes: AdmissionAttributes, name: string): Class | undefined {
    if (name === "") return defaultClass();
    const found = classes.get(`${prefix}${name}`);
    if (!found) throw forbid(attributes, `no PriorityClass with name ${name} was found`);
    return found;
  }

  function setPriority(attributes: AdmissionAttributes): void {
    const { spec } = attributes.object as StoredPod;
    const found = classOf(attributes, spec.priorityClassName ?? "");
    const priority = found?.value ?? 0;
    const policy = found ? found.preemptionPolicy : "PreemptLowerPriority";
    if (found?.metadata?.name) spec.priorityClassName = found.metadata.name;
    if (spec.priority !== undefined && spec.priority !== priority) {
      throw forbid(
        attributes,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
      );
    }
    spec.priority = priority;
    if (policy === undefined) return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
      throw forbid(
        attributes,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    }
    spec.preemptionPolicy = policy;
  }

  return {
    name: "Priority",
    operations: ["CREATE", "UPDATE"],
    admit(attributes) {
      if (!isPodItself(attributes)) return;
      if (attributes.operation === "CREATE") setPriority(attributes);
      else keepPriority(attributes.object as StoredPod, attributes.old as StoredPod);
    },
    validate(attributes) {
      const { kind, subresource, operation } = attributes;
      if (kind.group !== "scheduling.k8s.io" || kind.kind !== "PriorityClass" || subresource !== "") return;
      const requested = attributes.object as Class | undefined;
      const existing = requested?.globalDefault ? defaultClass() : undefined;
      if (!existing || (operation === "UPDATE" && existing.metadata?.name === requested?.metadata?.name)) return;
      throw forbid(
        attributes,
        `PriorityClass ${existing.metadata?.name ?? ""} is already marked as default. Only one default can exist`,
      );
    },
  };
}

/** An update that leaves them out keeps what was found at the beginning; one that changes them is refused by validation. */
function keepPriority({ spec }: StoredPod, { spec: old }: StoredPod): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined)
    spec.preemptionPolicy = old.preemptionPolicy;
}
