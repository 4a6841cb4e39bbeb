import type { Pod } from "@coxswain/api/core/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { notFound } from "@coxswain/apimachinery/status";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { AdmissionAttributes } from "../admission.js";
import { apiReference } from "./api-reference.js";
import { refuse } from "./refuse.js";
import type { Restriction, RestrictionDeps } from "./restriction.js";

const mirror = "kubernetes.io/config.mirror";

/** A kubelet makes the mirrors of its static pods, deletes and evicts what runs on its node, and reports on it. */
export const restrictPods: Restriction = (deps, node, attributes) => {
  switch (attributes.subresource) {
    case "":
      return restrictPod(deps, node, attributes);
    case "status":
      return restrictStatus(node, attributes);
    case "eviction":
      return restrictEviction(deps, node, attributes);
    default:
      throw refuse(
        attributes,
        `unexpected pod subresource ${quoteGo(attributes.subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
};

function restrictPod(deps: RestrictionDeps, node: string, attributes: AdmissionAttributes): void {
  if (attributes.operation === "CREATE") return restrictMirror(deps, node, attributes);
  if (attributes.operation !== "DELETE")
    throw refuse(
      attributes,
      `unexpected operation ${quoteGo(attributes.operation)}, node ${quoteGo(node)} can only create and delete mirror pods`,
    );
  const pod = podOf(deps, attributes.namespace, attributes.name);
  if (pod.spec.nodeName !== node)
    throw refuse(attributes, `node ${quoteGo(node)} can only delete pods with spec.nodeName set to itself`);
}

/** The pod, or the error of a lister that does not have it. */
export function podOf({ pods }: RestrictionDeps, namespace: string, name: string) {
  const pod = pods.get(`/registry/pods/${namespace}/${name}`);
  if (!pod) throw notFound({ group: "", resource: "pod" }, name);
  return pod;
}

function restrictMirror({ nodes }: RestrictionDeps, name: string, attributes: AdmissionAttributes): void {
  const pod = attributes.object as StoredPod;
  const node = quoteGo(name);
  if (getOwn(pod.metadata.annotations, mirror) === undefined)
    throw refuse(
      attributes,
      `pod does not have ${quoteGo(mirror)} annotation, node ${node} can only create mirror pods`,
    );
  if (pod.spec.nodeName !== name)
    throw refuse(attributes, `node ${node} can only create pods with spec.nodeName set to itself`);
  const owners = pod.metadata.ownerReferences ?? [];
  const [owner] = owners;
  if (owners.length > 1)
    throw refuse(attributes, `node ${node} can only create pods with a single owner reference set to itself`);
  if (!owner || owner.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== name)
    throw refuse(attributes, `node ${node} can only create pods with an owner reference set to itself`);
  if (owner.controller !== true)
    throw refuse(attributes, `node ${node} can only create pods with a controller owner reference set to itself`);
  if (owner.blockOwnerDeletion === true)
    throw refuse(attributes, `node ${node} must not set blockOwnerDeletion on an owner reference`);
  const uid = nodes.get(`/registry/minions/${name}`)?.metadata.uid;
  if (uid === undefined) throw notFound({ group: "", resource: "node" }, name);
  if (owner.uid !== uid) throw refuse(attributes, `node ${name} UID mismatch: expected ${owner.uid} got ${uid}`);
  const reference = apiReference(pod as Pod);
  if (reference?.error !== undefined)
    throw refuse(attributes, `error checking mirror pod for API references: ${reference.error}`);
  if (reference) throw refuse(attributes, `node ${node} can not create pods that reference ${reference.to}`);
}

function restrictStatus(name: string, attributes: AdmissionAttributes): void {
  const node = quoteGo(name);
  if (attributes.operation !== "UPDATE")
    throw refuse(attributes, `unexpected operation ${quoteGo(attributes.operation)}`);
  const old = attributes.old as StoredPod;
  const next = attributes.object as StoredPod;
  if (old.spec.nodeName !== name)
    throw refuse(attributes, `node ${node} can only update pod status for pods with spec.nodeName set to itself`);
  if (!equalJson(old.metadata.labels ?? {}, next.metadata.labels ?? {}))
    throw refuse(attributes, `node ${node} cannot update labels through pod status`);
  if (!equalJson(old.status?.resourceClaimStatuses ?? [], next.status?.resourceClaimStatuses ?? []))
    throw refuse(attributes, `node ${node} cannot update resource claim statues`);
  if (!equalJson(old.status?.extendedResourceClaimStatus ?? null, next.status?.extendedResourceClaimStatus ?? null))
    throw refuse(attributes, `node ${node} cannot update extended resource claim status`);
}

function restrictEviction(deps: RestrictionDeps, node: string, attributes: AdmissionAttributes): void {
  if (attributes.operation !== "CREATE") throw refuse(attributes, `unexpected operation ${attributes.operation}`);
  const name = attributes.name || (attributes.object?.metadata.name ?? "");
  if (name === "") throw refuse(attributes, "could not determine pod from request data");
  if (podOf(deps, attributes.namespace, name).spec.nodeName !== node)
    throw refuse(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
