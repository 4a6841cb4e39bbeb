import type { Binding } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../cache/lister.js";
import { type AdmissionPlugin, isPodItself } from "./admission.js";

const copied = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** A pod carries the zone and the region of its node from the moment it is assigned to it. */
export function createPodTopologyLabels(nodes: Lister<KubernetesObject>, enabled: () => boolean): AdmissionPlugin {
  const label = (object: { metadata: { labels?: Record<string, string> } }, node: string): void => {
    const labels = nodes.get(`/registry/minions/${node}`)?.metadata.labels;
    for (const key of copied) {
      const value = getOwn(labels, key);
      if (value !== undefined) setOwn((object.metadata.labels ??= {}), key, value);
    }
  };
  return {
    name: "PodTopologyLabels",
    operations: ["CREATE"],
    admit(attributes) {
      if (!enabled() || !attributes.object) return;
      const { kind, subresource, object } = attributes;
      if (isPodItself(attributes)) {
        const { nodeName } = (object as StoredPod).spec;
        if (nodeName) label(object as StoredPod, nodeName);
      } else if (kind.group === "" && kind.kind === "Pod" && subresource === "binding") {
        const { target } = object as unknown as Binding;
        if (target.kind === "Node")
          label(object as { metadata: { labels?: Record<string, string> } }, target.name ?? "");
      }
    },
  };
}
