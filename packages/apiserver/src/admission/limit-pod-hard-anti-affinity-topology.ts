import type { StoredPod } from "@coxswain/kinds/core/pod";
import { type AdmissionPlugin, isPodItself } from "./admission.js";
import { forbid } from "./forbid.js";

const allowed = "kubernetes.io/hostname";

/** A pod may keep others off its node, not off more than that. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: "LimitPodHardAntiAffinityTopology",
  operations: ["CREATE", "UPDATE"],
  validate(attributes) {
    if (!isPodItself(attributes)) return;
    const terms =
      (attributes.object as StoredPod).spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ??
      [];
    const wrong = terms.find(({ topologyKey }) => topologyKey !== allowed);
    if (wrong)
      throw forbid(
        attributes,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wrong.topologyKey} but only key ${allowed} is allowed`,
      );
  },
};
