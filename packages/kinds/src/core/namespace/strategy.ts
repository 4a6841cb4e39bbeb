import { formatTime } from "@coxswain/apimachinery/time";
import { keep } from "../../definition/keep.js";
import type { DeletionOptions, Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { labelWithName } from "./defaults.js";
import type { StoredNamespace } from "./stored.js";
import { checkNamespace, checkNamespaceFinalize, checkNamespaceStatus, checkNamespaceUpdate } from "./validation.js";

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
    keep(namespace, old, "spec", "status");
  },
  validateUpdate: checkNamespaceUpdate,
  canonicalize,
  beginDeletion: terminate,
  readyToDelete: ({ spec }) => (spec.finalizers?.length ?? 0) === 0,
};

/** Deleting a namespace starts its end; its controller empties it and takes the finalizer by `finalize`. */
function terminate(namespace: StoredNamespace, options: DeletionOptions, { now }: { now: number }): void {
  const { metadata } = namespace;
  metadata.deletionTimestamp ??= formatTime(now);
  namespace.status.phase = "Terminating";
  const finalizers = new Set(metadata.finalizers);
  setPresence(
    finalizers,
    "orphan",
    options.orphanDependents ??
      (options.propagationPolicy === undefined ? undefined : options.propagationPolicy === "Orphan"),
  );
  const foreground =
    options.orphanDependents === undefined
      ? options.propagationPolicy === undefined
        ? undefined
        : options.propagationPolicy === "Foreground"
      : !options.orphanDependents;
  setPresence(finalizers, "foregroundDeletion", foreground);
  if (finalizers.size > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
}

/** `wanted` undefined: as it is. */
function setPresence(finalizers: Set<string>, name: string, wanted: boolean | undefined): void {
  if (wanted === true) finalizers.add(name);
  if (wanted === false) finalizers.delete(name);
}

export const namespaceStatusStrategy: UpdateStrategy<StoredNamespace> = {
  resetFields: [["spec"]],
  prepareForUpdate(namespace, old) {
    keep(namespace, old, "spec");
  },
  validateUpdate: checkNamespaceStatus,
  canonicalize,
};

/** The one way to take a finalizer off `spec`. */
export const namespaceFinalizeStrategy: UpdateStrategy<StoredNamespace> = {
  resetFields: [["status"]],
  prepareForUpdate(namespace, old) {
    keep(namespace, old, "status");
  },
  validateUpdate: checkNamespaceFinalize,
  canonicalize,
};
