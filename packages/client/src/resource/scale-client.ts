import type { autoscalingV1 } from "@coxswain/api/types";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { GetOptions, Patch, PatchOptions, RestClient, WriteOptions } from "../rest/index.js";
import { ResourceClient } from "./resource-client.js";

type Scale = autoscalingV1.Scale;

/** The scale of any resource that has one: deployments, custom resources with a scale subresource. */
export interface ScaleClient {
  get(name: string, options?: GetOptions): Promise<Scale>;
  update(name: string, scale: Scale, options?: WriteOptions): Promise<Scale>;
  patch(name: string, patch: Patch<Scale>, options?: PatchOptions): Promise<Scale>;
  /** Sets the replicas, whatever they were. */
  setReplicas(name: string, replicas: number, options?: PatchOptions): Promise<Scale>;
}

export function createScaleClient(rest: RestClient, resource: GroupVersionResource, namespace?: string): ScaleClient {
  const { get, update, patch } = new ResourceClient(rest, resource, namespace).subresource<Scale>("scale");
  return {
    get,
    update,
    patch,
    setReplicas: (name, replicas, options) => patch(name, { merge: { spec: { replicas } } }, options),
  };
}
