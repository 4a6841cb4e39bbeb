import type { ObjectMeta } from "@coxswain/api/meta/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** A pod or a node, as JSON: what selectors, expressions and templates read. */
export interface SelectedObject {
  readonly metadata?: DeepReadonly<ObjectMeta>;
}

/**
 * Pure: the JSON that Go writes of a typed object. Structs that cannot be left out are there, so that a template may read
 * a member of `.status.nodeInfo` of a node that has none.
 */
export function goJson(kind: "Pod" | "Node", object: object): Record<string, unknown> {
  const { spec = {}, status = {}, ...rest } = object as Record<string, object>;
  if (kind === "Pod") return { apiVersion: "v1", kind, ...rest, spec, status };
  return {
    apiVersion: "v1",
    kind,
    ...rest,
    spec,
    status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: emptyNodeInfo, ...status },
  };
}

const emptyNodeInfo = {
  machineID: "",
  systemUUID: "",
  bootID: "",
  kernelVersion: "",
  osImage: "",
  containerRuntimeVersion: "",
  kubeletVersion: "",
  kubeProxyVersion: "",
  operatingSystem: "",
  architecture: "",
};
