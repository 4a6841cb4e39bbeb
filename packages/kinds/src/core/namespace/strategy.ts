import type { DeepReadonly } from "@coxswain/api";
import { formatTime } from "../../format-time.js";
import type { DeletionWish, Strategy, UpdateStrategy } from "../../strategy.js";
import { labelWithName } from "./defaults.js";
import type { StoredNamespace } from "./kind.js";
import { checkNamespace, checkNamespaceStatus } from "./validation.js";

const kubernetesFinalizer = "kubernetes";

const canonicalize = ({ metadata }: StoredNamespace): void => labelWithName(metadata);

export const namespaceStrategy: Strategy<StoredNamespace> = {
  resetFields: [["status"]],
  prepareForCreate(namespace) {
    namespace.status = { phase: "Active" };
    const finalizers = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(kubernetesFinalizer)) namespace.spec.finalizers = [...finalizers, kubernetesFinalizer];
  },
  validateCreate: checkNamespace,
  prepareForUpdate(namespace, old) {
    namespace.spec = structuredClone(old.spec) as StoredNamespace["spec"];
    namespace.status = structuredClone(old.status) as StoredNamespace["status"];
  },
  validateUpdate: checkNamespace,
  canonicalize,
  beginDeletion: terminate,
  readyToDelete: ({ spec }) => (spec.finalizers?.length ?? 0) === 0,
};

/** Deleting a namespace starts its end; its controller empties it and takes the finalizer by `finalize`. */
function terminate(namespace: StoredNamespace, wish: DeletionWish, { now }: { now: number }): void {
  const { metadata } = namespace;
  metadata.deletionTimestamp ??= formatTime(now);
  namespace.status.phase = "Terminating";
  const finalizers = new Set(metadata.finalizers);
  keep(finalizers, "orphan", wish.orphanDependents ?? (wish.propagationPolicy === undefined ? undefined : wish.propagationPolicy === "Orphan"));
  const foreground = wish.orphanDependents === undefined ? (wish.propagationPolicy === undefined ? undefined : wish.propagationPolicy === "Foreground") : !wish.orphanDependents;
  keep(finalizers, "foregroundDeletion", foreground);
  if (finalizers.size > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
}

/** `wanted` undefined: as it is. */
function keep(finalizers: Set<string>, name: string, wanted: boolean | undefined): void {
  if (wanted === true) finalizers.add(name);
  if (wanted === false) finalizers.delete(name);
}

export const namespaceStatusStrategy: UpdateStrategy<StoredNamespace> = {
  resetFields: [["spec"]],
  prepareForUpdate(namespace, old) {
    namespace.spec = structuredClone(old.spec) as StoredNamespace["spec"];
  },
  validateUpdate: (namespace: DeepReadonly<StoredNamespace>) => checkNamespaceStatus(namespace),
  canonicalize,
};

/** The one way to take a finalizer off `spec`. */
export const namespaceFinalizeStrategy: UpdateStrategy<StoredNamespace> = {
  resetFields: [["status"]],
  prepareForUpdate(namespace, old) {
    namespace.status = structuredClone(old.status) as StoredNamespace["status"];
  },
  validateUpdate: (namespace) => checkNamespace(namespace),
  canonicalize,
};
