import type { DeepReadonly } from "@coxswain/api";
import type { ObjectReference, Pod, PodTemplateSpec } from "@coxswain/api/core/v1";
import { formatGroupVersion, type GroupVersionKind } from "@coxswain/apimachinery/meta";
import { isNotFound, statusCause } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { controllerReference } from "@coxswain/client/controller";
import type { EventRecorder } from "@coxswain/client/events";
import { podFromTemplate } from "./pod-from-template.js";
import type { CachedPod } from "./pod-state.js";
import type { PodOwner } from "./pods-of-owner.js";

/** Creates and deletes pods for their owners, with events about it. */
export interface PodControl {
  /** @throws StatusError; no event is recorded when the namespace is being deleted */
  create(owner: PodOwner, template: DeepReadonly<PodTemplateSpec>, options?: CreatePodOptions): Promise<Pod>;
  /** @throws Error; NotFound is thrown without an event */
  delete(owner: PodOwner, pod: CachedPod): Promise<void>;
  /** A strategic merge patch. */
  patch(pod: CachedPod, patch: object): Promise<Pod>;
}

export interface CreatePodOptions {
  /** @default the owner's name and a dash */
  readonly generateName?: string;
}

export interface PodControlOptions {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** Of the owners. */
  readonly kind: GroupVersionKind;
  /** Every pod that was created or patched, as the server answered. */
  readonly onWrite: (pod: Pod) => void;
}

export function createPodControl({ client, recorder, kind, onWrite }: PodControlOptions): PodControl {
  return {
    async create(owner, template, { generateName } = {}) {
      if (Object.keys(template.metadata?.labels ?? {}).length === 0)
        throw new Error("unable to create pods, no labels");
      const { namespace = "", name = "" } = owner.metadata ?? {};
      const pod = podFromTemplate(template, name, controllerReference({ metadata: owner.metadata ?? {} }, kind));
      if (generateName !== undefined) pod.metadata = { ...pod.metadata, generateName };
      const object = referenceOf(owner, kind);
      try {
        const created = await client.core.v1.pods(namespace).create(pod);
        onWrite(created);
        const message = `Created pod: ${created.metadata?.name}`;
        recorder.event(object, { type: "Normal", reason: "SuccessfulCreate", message });
        return created;
      } catch (error) {
        if (!isNamespaceTerminating(error)) {
          const message = `Error creating: ${messageOf(error)}`;
          recorder.event(object, { type: "Warning", reason: "FailedCreate", message });
        }
        throw error;
      }
    },
    async delete(owner, pod) {
      const { namespace = "", name = "" } = pod.metadata ?? {};
      const object = referenceOf(owner, kind);
      try {
        await client.core.v1.pods(namespace).delete(name);
        recorder.event(object, { type: "Normal", reason: "SuccessfulDelete", message: `Deleted pod: ${name}` });
      } catch (error) {
        if (isNotFound(error)) throw error;
        const message = `Error deleting: ${messageOf(error)}`;
        recorder.event(object, { type: "Warning", reason: "FailedDelete", message });
        throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
      }
    },
    async patch(pod, patch) {
      const { namespace = "", name = "" } = pod.metadata ?? {};
      const patched = await client.core.v1.pods(namespace).patch(name, { strategic: patch as Record<string, unknown> });
      onWrite(patched);
      return patched;
    },
  };
}

/** Every creation in it fails: nothing is wrong with the one that did. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  statusCause(error, "NamespaceTerminating") !== undefined;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What an event is about. Objects of a cache do not have their kind. */
export function referenceOf(object: PodOwner, kind: GroupVersionKind): ObjectReference {
  const { name, namespace, uid, resourceVersion } = (object.metadata ?? {}) as ObjectReference;
  return {
    kind: kind.kind,
    apiVersion: formatGroupVersion(kind),
    ...(name && { name }),
    ...(namespace && { namespace }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}
