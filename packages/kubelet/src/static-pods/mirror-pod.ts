import type { Pod } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import type { CachedPod } from "../objects/cached-pod.js";
import { hashKey } from "./read-manifest.js";

const mirrorKey = "kubernetes.io/config.mirror";

/** Pure: what the API server has of a static pod, owned by the node. The server gives it an UID of its own. */
export function mirrorOf(pod: Pod, node: { readonly name: string; readonly uid: string }): Pod {
  const { uid: _, ...metadata } = pod.metadata ?? {};
  const owner = { apiVersion: "v1", kind: "Node", name: node.name, uid: node.uid, controller: true };
  const { status: __, ...rest } = pod;
  return {
    ...rest,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [mirrorKey]: hashOf(pod) },
      ownerReferences: [owner],
    },
  };
}

const hashOf = (pod: CachedPod): string => getOwn(pod.metadata?.annotations, hashKey) ?? "";

export interface MirrorFacts {
  /** What the manifest asks for now; undefined: there is none. */
  readonly wanted: CachedPod | undefined;
  readonly mirror: CachedPod | undefined;
  /** Something of a static pod of that name is still on the node. */
  readonly isOnNode: boolean;
}

/** Whether the mirror is one of this pod: made from the same manifest, and not being deleted. */
export const isMirrorOf = (mirror: CachedPod, pod: CachedPod): boolean =>
  mirror.metadata?.deletionTimestamp === undefined && getOwn(mirror.metadata?.annotations, mirrorKey) === hashOf(pod);

/**
 * Pure: what is done about a mirror pod. One that somebody deletes, or of another manifest, makes room for a new one; one
 * without a manifest goes once nothing of its pod is left.
 */
export function planMirror({ wanted, mirror, isOnNode }: MirrorFacts): "create" | "delete" | "keep" {
  if (!wanted) return mirror && !isOnNode ? "delete" : "keep";
  if (!mirror) return "create";
  return isMirrorOf(mirror, wanted) ? "keep" : "delete";
}
