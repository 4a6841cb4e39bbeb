import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { isConditionTrue, type WantedCondition, withCondition } from "./conditions.js";

type Definition = Pick<CustomResourceDefinition, "metadata" | "status">;
type Said = Omit<WantedCondition, "type">;

/** Holds a definition until its custom resources are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** The first delete request: the definition waits for whoever deletes its custom resources. */
export function beginTermination(definition: Definition, now: number): void {
  const { metadata = {} } = definition;
  metadata.deletionTimestamp ??= formatTime(now);
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
  definition.status = withTerminating(
    definition,
    {
      status: "True",
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    },
    now,
  );
}

export const isTerminating = ({ metadata }: DeepReadonly<Definition>): boolean =>
  metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(cleanupFinalizer);

/** Its custom resources are being deleted. */
export const inTermination = <T extends Definition>(definition: T, now: number): T => ({
  ...definition,
  status: withTerminating(
    definition,
    { status: "True", reason: "InstanceDeletionInProgress", message: "CustomResource deletion is in progress" },
    now,
  ),
});

/** Nothing is left of its custom resources: the finalizer goes, and with it the definition. */
export function endTermination<T extends Definition>(definition: T, now: number): T {
  const said: Said = isConditionTrue(definition, "Established")
    ? { status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" }
    : { status: "False", reason: "NeverEstablished", message: "resource was never established" };
  const finalizers = (definition.metadata?.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
  const { finalizers: _, ...metadata } = definition.metadata ?? {};
  return {
    ...definition,
    metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) },
    status: withTerminating(definition, said, now),
  };
}

const withTerminating = ({ status = {} }: Definition, said: Said, now: number): NonNullable<Definition["status"]> =>
  withCondition(status, { type: "Terminating", ...said }, now) as NonNullable<Definition["status"]>;
