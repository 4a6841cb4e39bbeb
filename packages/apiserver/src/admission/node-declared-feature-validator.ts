import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../cache/lister.js";
import type { AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

type Spec = DeepReadonly<StoredPod["spec"]>;

/** What an update of a pod that runs may need of its node, in the order in which it is named. */
const needs: Readonly<Record<string, (spec: Spec, old: Spec) => boolean>> = {
  InPlacePodLevelResourcesVerticalScaling: (spec, old) => !equalJson(spec.resources ?? null, old.resources ?? null),
  InPlacePodVerticalScalingInitContainers: (spec, old) =>
    (old.initContainers ?? []).some(
      ({ restartPolicy, resources }, i) =>
        restartPolicy !== "Always" && !equalJson(resources ?? {}, spec.initContainers?.[i]?.resources ?? {}),
    ),
};

/** A pod that runs is changed only in ways that its node's declared features support. */
export const createNodeDeclaredFeatureValidator = (
  nodes: Lister<Node & KubernetesObject>,
  enabled: () => boolean,
): AdmissionPlugin => ({
  name: "NodeDeclaredFeatureValidator",
  operations: ["UPDATE"],
  validate(attributes) {
    const { kind, subresource } = attributes;
    if (!enabled() || kind.group !== "" || kind.resource !== "pods" || (subresource !== "" && subresource !== "resize"))
      return;
    const [pod, old] = [attributes.object as StoredPod, attributes.old as StoredPod];
    if (!pod.spec.nodeName || pod.metadata.generation === old.metadata.generation) return;
    const needed = Object.keys(needs).filter((feature) => needs[feature]?.(pod.spec, old.spec));
    if (needed.length === 0) return;
    const node = nodes.get(`/registry/minions/${pod.spec.nodeName}`);
    const shown = JSON.stringify(pod.spec.nodeName);
    if (!node) throw forbid(attributes, `node ${shown} not found`);
    const missing = needed.filter((feature) => !node.status?.declaredFeatures?.includes(feature));
    if (missing.length > 0)
      throw forbid(
        attributes,
        `pod update requires features ${missing.join(", ")} which are not available on node ${shown}`,
      );
  },
});
