import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { isConditionTrue, type WantedCondition, withCondition } from "./conditions.js";

type Definition = Pick<CustomResourceDefinition, "metadata" | "status"> &
  Partial<Pick<CustomResourceDefinition, "spec">>;
type Outcome = Omit<WantedCondition, "type">;

/** Holds a definition until its custom resources are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** The first delete request: the definition waits until its custom resources are deleted. */
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

/** Resources that upstream stores where a definition of the same group and name would: their objects are never taken for its own. */
const builtIn = new Set(["apiservices.apiregistration.k8s.io", "customresourcedefinitions.apiextensions.k8s.io"]);

/** Whether custom resources of the definition must be deleted before it goes. */
export const hasInstances = (definition: DeepReadonly<Definition>): boolean =>
  !overlapsBuiltIn(definition) && isConditionTrue(definition, "Established");

const overlapsBuiltIn = ({ spec }: DeepReadonly<Definition>): boolean =>
  builtIn.has(`${spec?.names.plural}.${spec?.group}`);

/** Its custom resources could not all be deleted; it is tried again. */
export const failTermination = <T extends Definition>(definition: T, failure: TerminationFailure, now: number): T => ({
  ...definition,
  status: withTerminating(
    definition,
    {
      status: "True",
      reason: failure.step === "confirm" ? "InstanceDeletionCheck" : "InstanceDeletionFailed",
      message: `${failedSteps[failure.step]}: ${failure.message}`,
    },
    now,
  ),
});

export interface TerminationFailure {
  readonly step: keyof typeof failedSteps;
  readonly message: string;
}

const failedSteps = {
  list: "could not list instances",
  delete: "could not issue all deletes",
  confirm: "could not confirm zero CustomResources remaining",
};

/** Nothing is left of its custom resources: the finalizer goes, and with it the definition. */
export function endTermination<T extends Definition>(definition: T, now: number): T {
  const outcome = endOf(definition);
  const finalizers = (definition.metadata?.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
  const { finalizers: _, ...metadata } = definition.metadata ?? {};
  return {
    ...definition,
    metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) },
    status: withTerminating(definition, outcome, now),
  };
}

function endOf(definition: Definition): Outcome {
  if (overlapsBuiltIn(definition))
    return {
      status: "False",
      reason: "OverlappingBuiltInResource",
      message: "instances overlap with built-in resources in storage",
    };
  return isConditionTrue(definition, "Established")
    ? { status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" }
    : { status: "False", reason: "NeverEstablished", message: "resource was never established" };
}

const withTerminating = (
  { status = {} }: Definition,
  outcome: Outcome,
  now: number,
): NonNullable<Definition["status"]> =>
  withCondition(status, { type: "Terminating", ...outcome }, now) as NonNullable<Definition["status"]>;
