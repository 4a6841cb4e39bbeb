import type { PersistentVolumeClaim, Pod } from "@coxswain/api/core/v1";
import { isAlreadyExists, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedClaim, hasOtherController, isRetentionRight, retainedOwners } from "./claim-retention.js";
import {
  type CachedStatefulSet,
  claimsOf,
  hasIdentity,
  hasStorage,
  ordinalOf,
  statefulSetKind,
  withIdentity,
} from "./identity.js";
import type { Step } from "./plan.js";

/** With what a set's pods and claims are written. */
export interface StatefulPodControl {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** From the cache. */
  readonly claim: (namespace: string, name: string) => CachedClaim | undefined;
  /** Every pod and claim that was written, as the server answered. */
  readonly onWrite: (
    set: CachedStatefulSet,
    resource: "pods" | "persistentvolumeclaims",
    resourceVersion: string,
  ) => void;
}

type Verb = "Create" | "Update" | "Delete";

/** Carries out one step for a set, with events about it. `update` is the set with the template of its update revision. */
export async function carryOutStep(
  control: StatefulPodControl,
  set: CachedStatefulSet,
  update: CachedStatefulSet,
  step: Step,
): Promise<void> {
  switch (step.do) {
    case "create":
      return createPod(control, set, step.pod);
    case "delete":
      return deletePod(control, set, step.pod);
    case "create claims":
      await createClaims(control, set, step.pod);
      return reporting(control, set, step.pod, "Update", () => retainClaims(control, set, step.pod));
    case "update":
      return updatePod(control, update, step.pod);
    case "update claims":
      return retainClaims(control, update, step.pod);
  }
}

async function createPod(control: StatefulPodControl, set: CachedStatefulSet, pod: Pod): Promise<void> {
  await reporting(control, set, pod, "Create", () => createClaims(control, set, pod));
  let created: Pod;
  try {
    created = await control.client.core.v1.pods(pod.metadata?.namespace ?? "").create(pod);
  } catch (error) {
    if (!isAlreadyExists(error)) record(control, set, pod, "Create", error);
    throw error;
  }
  control.onWrite(set, "pods", created.metadata?.resourceVersion ?? "");
  await reporting(control, set, pod, "Update", () => retainClaims(control, set, created));
  record(control, set, pod, "Create");
}

async function deletePod(control: StatefulPodControl, set: CachedStatefulSet, pod: CachedPod): Promise<void> {
  const { namespace = "", name = "" } = pod.metadata ?? {};
  try {
    await control.client.core.v1.pods(namespace).delete(name);
  } catch (error) {
    if (!isNotFound(error)) {
      record(control, set, pod, "Delete", error);
      throw error;
    }
  }
  record(control, set, pod, "Delete");
}

async function updatePod(control: StatefulPodControl, set: CachedStatefulSet, pod: CachedPod): Promise<void> {
  await reporting(control, set, pod, "Update", async () => {
    if (!hasStorage(set, pod)) await createClaims(control, set, pod);
    await retainClaims(control, set, pod);
    if (hasIdentity(set, pod) && hasStorage(set, pod)) return;
    const next = withIdentity(set, pod as Pod, ordinalOf(pod));
    const updated = await control.client.core.v1.pods(pod.metadata?.namespace ?? "").update(next);
    control.onWrite(set, "pods", updated.metadata?.resourceVersion ?? "");
  });
  record(control, set, pod, "Update");
}

/** All are tried; the first failure is thrown. */
async function createClaims(control: StatefulPodControl, set: CachedStatefulSet, pod: CachedPod): Promise<void> {
  const failures: Error[] = [];
  for (const wanted of claimsOf(set, ordinalOf(pod))) {
    const { namespace = "", name = "" } = wanted.metadata ?? {};
    const existing = control.claim(namespace, name);
    if (existing?.metadata?.deletionTimestamp) failures.push(new Error(`pvc ${name} is being deleted`));
    if (existing) continue;
    try {
      const created = await control.client.core.v1.persistentvolumeclaims(namespace).create(wanted);
      control.onWrite(set, "persistentvolumeclaims", created.metadata?.resourceVersion ?? "");
      recordClaim(control, set, pod, wanted);
    } catch (error) {
      failures.push(new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error }));
      if (!isAlreadyExists(error)) recordClaim(control, set, pod, wanted, error);
    }
  }
  if (failures[0]) throw failures[0];
}

/** Gives the pod's claims the owners that the set's policy asks for. */
async function retainClaims(
  { claim, recorder, client, onWrite }: StatefulPodControl,
  set: CachedStatefulSet,
  pod: CachedPod,
): Promise<void> {
  for (const { metadata } of claimsOf(set, ordinalOf(pod))) {
    const { namespace = "", name = "" } = metadata ?? {};
    const existing = claim(namespace, name);
    if (!existing) continue;
    if (hasOtherController(existing, set, pod)) {
      const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      recorder.event(referenceOf(set, statefulSetKind), {
        type: "Warning",
        reason: "ConflictingController",
        message,
      });
    }
    if (isRetentionRight(existing, set, pod)) continue;
    const owned = existing as PersistentVolumeClaim;
    const updated = await client.core.v1
      .persistentvolumeclaims(namespace)
      .update({ ...owned, metadata: { ...owned.metadata, ownerReferences: retainedOwners(existing, set, pod) } });
    onWrite(set, "persistentvolumeclaims", updated.metadata?.resourceVersion ?? "");
  }
}

async function reporting(
  control: StatefulPodControl,
  set: CachedStatefulSet,
  pod: CachedPod,
  verb: Verb,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    record(control, set, pod, verb, error);
    throw error;
  }
}

function record(
  control: StatefulPodControl,
  set: CachedStatefulSet,
  pod: CachedPod,
  verb: Verb,
  error?: unknown,
): void {
  const subject = `${verb.toLowerCase()} Pod ${pod.metadata?.name} in StatefulSet ${set.metadata?.name}`;
  recordResult(control, set, verb, subject, "successful", error);
}

function recordClaim(
  control: StatefulPodControl,
  set: CachedStatefulSet,
  pod: CachedPod,
  { metadata }: PersistentVolumeClaim,
  error?: unknown,
): void {
  const link = error === undefined ? "" : "for ";
  const subject = `create Claim ${metadata?.name} ${link}Pod ${pod.metadata?.name} in StatefulSet ${set.metadata?.name}`;
  recordResult(control, set, "Create", subject, "success", error);
}

function recordResult(
  { recorder }: StatefulPodControl,
  set: CachedStatefulSet,
  verb: Verb,
  subject: string,
  success: string,
  error: unknown,
): void {
  const text = subject[0]?.toUpperCase() + subject.slice(1);
  recorder.event(
    referenceOf(set, statefulSetKind),
    error === undefined
      ? { type: "Normal", reason: `Successful${verb}`, message: `${text} ${success}` }
      : { type: "Warning", reason: `Failed${verb}`, message: `${text} failed error: ${messageOf(error)}` },
  );
}
