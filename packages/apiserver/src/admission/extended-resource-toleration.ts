import type { Toleration } from "@coxswain/api/core/v1";
import { isExtendedResource } from "@coxswain/api/quota";
import { equalJson } from "@coxswain/apimachinery/json";
import { ownKeys } from "@coxswain/apimachinery/own";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import { type AdmissionPlugin, isPodItself } from "./admission.js";

/** Nodes with something special keep other pods off by a taint of its name: pods that ask for it tolerate that. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: "ExtendedResourceToleration",
  operations: ["CREATE", "UPDATE"],
  admit(attributes) {
    if (!isPodItself(attributes)) return;
    const { spec } = attributes.object as StoredPod;
    const names = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      ownKeys(resources?.requests).filter(isExtendedResource),
    );
    for (const key of [...new Set(names)].sort()) tolerate(spec, { key, operator: "Exists", effect: "NoSchedule" });
  },
};

/** A toleration with a time limit loses it. */
function tolerate(spec: StoredPod["spec"], wanted: Toleration): void {
  const same = ({ key, operator, effect, value }: Toleration): boolean =>
    key === wanted.key && effect === wanted.effect && operator === wanted.operator && !value;
  const existing = spec.tolerations ?? [];
  if (existing.some((each) => equalJson(each, wanted))) return;
  spec.tolerations = existing.some(same) ? existing.map((each) => (same(each) ? wanted : each)) : [...existing, wanted];
}
