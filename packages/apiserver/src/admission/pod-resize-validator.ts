import type { Node } from "@coxswain/api/core/v1";
import { podRequests, quantities, specOnly } from "@coxswain/api/pods";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { StatusError } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Lister } from "../cache/lister.js";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

const zero = parseQuantity("0");

/** A pod that runs is resized only to what its node can ever give, and only on nodes that can do it. */
export const createPodResizeValidator = (
  nodes: Lister<Node & KubernetesObject>,
  enabled: () => boolean,
): AdmissionPlugin => ({
  name: "PodResizeValidator",
  operations: ["UPDATE"],
  validate(attributes) {
    const { kind, subresource } = attributes;
    if (!enabled() || kind.group !== "" || kind.resource !== "pods" || subresource !== "resize") return;
    const [pod, old] = [attributes.object as StoredPod, attributes.old as StoredPod];
    // The generation changes with the spec, so that otherwise there is nothing to look at.
    if (!pod.spec.nodeName || pod.metadata.generation === old.metadata.generation) return;
    const node = nodes.get(`/registry/minions/${pod.spec.nodeName}`);
    if (!node) throw forbid(attributes, `node ${JSON.stringify(pod.spec.nodeName)} not found`);
    const system = getOwn(node.metadata.labels, "kubernetes.io/os");
    if (system !== undefined && system !== "linux")
      throw refuse(
        attributes,
        `pod resize is only supported on linux nodes, node ${JSON.stringify(node.metadata.name ?? "")} is ${JSON.stringify(system)}`,
        "UnsupportedPlatform",
      );
    const missing = missingOn(node, pod);
    if (missing.length > 0)
      throw refuse(attributes, `node didn't have enough allocatable resources: ${missing.join("; ")}`, "NodeCapacity");
  },
});

function missingOn({ status }: Node, pod: StoredPod): string[] {
  const requests = podRequests(pod, specOnly, quantities);
  return (["cpu", "memory"] as const).flatMap((name) => {
    const [requested, allocatable] = [
      requests.get(name) ?? zero,
      parseQuantity(getOwn(status?.allocatable, name) ?? "0"),
    ];
    const [a, b] =
      name === "cpu" ? [requested.milliValue(), allocatable.milliValue()] : [requested.value(), allocatable.value()];
    return requested.compare(allocatable) > 0 ? [`${name}, requested: ${a}, allocatable: ${b}`] : [];
  });
}

function refuse(attributes: AdmissionAttributes, why: string, reason: string): StatusError {
  const { status } = forbid(attributes, why);
  return new StatusError({
    code: status.code,
    reason: "Forbidden",
    message: status.message ?? "",
    details: { ...status.details, causes: [{ reason }] },
  });
}
