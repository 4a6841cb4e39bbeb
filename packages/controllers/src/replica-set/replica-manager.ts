import type { ReplicaSetStatus } from "@coxswain/api/apps/v1";
import type { Pod } from "@coxswain/api/core/v1";
import type { GroupResource, GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { Selector } from "@coxswain/apimachinery/selector";
import { isNotFound } from "@coxswain/apimachinery/status";
import {
  type ConsistencyStore,
  claimObjects,
  createConsistencyStore,
  createExpectations,
} from "@coxswain/client/controller";
import { createLister, keyOf, type SharedIndexInformer } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { ControllerContext, RunningController } from "../controller/controller.js";
import { uidOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { controllerRefOf, isControlledBy } from "../pods/controller-ref.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { createPodControl, isNamespaceTerminating, messageOf } from "../pods/pod-control.js";
import { type CachedPod, isPodActive, isPodTerminating, nextAvailability } from "../pods/pod-state.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { slowStart } from "../pods/slow-start.js";
import { watchPods } from "../pods/watch-pods.js";
import { planReplicas, planStatus, type ReplicaOwner, type ReplicasPlan } from "./plan.js";

/** What a ReplicaSet and a ReplicationController do not have in common. */
export interface ReplicaKind<T extends ReplicaOwner> {
  readonly kind: GroupVersionKind;
  readonly resource: GroupResource;
  /** Its name among controllers; events come from `component`. */
  readonly name: string;
  readonly component: string;
  readonly queue: string;
  readonly owners: SharedIndexInformer<T>;
  selectorOf(owner: T): Selector;
  /** From the server. */
  get(owner: T): Promise<T>;
  updateStatus(owner: T, status: ReplicaSetStatus): Promise<T>;
  /** Other owners of the same Deployment, itself included. */
  siblingsOf(owner: T): readonly T[];
  /** Whether the status counts pods that are being deleted. */
  readonly hasTerminatingReplicas: boolean;
  /** Whether it waits for caches by resourceVersion besides its expectations. */
  readonly isConsistent: boolean;
}

/** A key whose caches are behind is woken by what they wait for; this is for the case that it never comes. */
const behindMs = 1000;

const podResource = { group: "", resource: "pods" };

/** Keeps as many pods as each owner asks for. */
export function startReplicaManager<T extends ReplicaOwner>(
  context: ControllerContext,
  replicas: ReplicaKind<T>,
): RunningController {
  const { client, informers, gates, settings, runtime } = context;
  const { kind, owners, resource } = replicas;
  const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
  const expectations = createExpectations({ clock: runtime.clock });
  const consistency: ConsistencyStore = createConsistencyStore(
    replicas.isConsistent
      ? [
          { resource: podResource, cache: pods.indexer },
          { resource, cache: owners.indexer },
        ]
      : [],
  );
  const podControl = createPodControl({
    client,
    recorder: context.recorder(replicas.component),
    kind,
    onWrite(pod: Pod) {
      const owner = controllerRefOf(pod);
      const { namespace, resourceVersion } = pod.metadata ?? {};
      if (owner && resourceVersion)
        consistency.wroteAt({ key: `${namespace}/${owner.name}`, uid: owner.uid }, podResource, resourceVersion);
    },
  });

  const loop = createReconcileLoop(context, {
    name: replicas.queue,
    workers: settings.concurrency?.[replicas.name] ?? 5,
    reconcile,
  });
  loop.handle(owners, {
    onAdd: (owner) => loop.queue.add(keyOf(owner)),
    onUpdate(old, owner) {
      if (old.metadata?.uid !== owner.metadata?.uid) forget(old);
      loop.queue.add(keyOf(owner));
    },
    onDelete(owner) {
      forget(owner);
      loop.queue.add(keyOf(owner));
    },
  });
  watchPods(loop, pods, {
    kind: kind.kind,
    ownerByKey: (key) => owners.indexer.getByKey(key),
    mayAdopt: (pod) => mayAdopt(owners.indexer, (owner) => replicas.selectorOf(owner), pod),
    expectations,
    minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
  });

  function forget(owner: T): void {
    consistency.clear(keyOf(owner), owner.metadata?.uid);
    expectations.forget(keyOf(owner));
  }

  async function reconcile(key: string): Promise<WorkResult> {
    if (consistency.behind(key)) return { requeueAfterMs: behindMs };
    const owner = owners.indexer.getByKey(key);
    if (!owner) {
      consistency.clear(key);
      expectations.forget(key);
      return;
    }
    const mayAct = expectations.isSatisfied(key);
    const selector = replicas.selectorOf(owner);
    const all = podsOfOwner(pods.indexer, owner, kind.kind);
    const active = await claimObjects(all.filter(isPodActive), {
      controller: owner,
      kind,
      selector,
      canAdopt: () => checkCanAdopt(kind.kind, owner, () => replicas.get(owner)),
      patch: (pod, patch) => podControl.patch(pod, patch),
    });
    const terminating = replicas.hasTerminatingReplicas
      ? all.filter(
          (pod) => isPodTerminating(pod) && isControlledBy(pod, owner) && selector.matches(pod.metadata?.labels),
        )
      : undefined;
    let failure: unknown;
    if (mayAct && !owner.metadata?.deletionTimestamp) {
      const hasDeletionCost = gates.enabled("PodDeletionCost");
      const related = (): CachedPod[] => relatedPods(owner);
      const plan = planReplicas(owner, { active, related, now: runtime.clock.now(), hasDeletionCost });
      failure = await carryOut(key, owner, plan);
    }
    const now = runtime.clock.now();
    const message = failure === undefined ? undefined : messageOf(failure);
    const status = planStatus(owner, { active, terminating, failure: message, now });
    const written = status ? await writeStatus(key, owner, status) : owner;
    if (failure !== undefined) throw failure;
    const { minReadySeconds = 0 } = written.spec ?? {};
    const { readyReplicas = 0, availableReplicas = 0 } = written.status ?? {};
    if (minReadySeconds > 0 && readyReplicas !== availableReplicas)
      return { requeueAfterMs: nextAvailability(active, minReadySeconds, now) ?? minReadySeconds * 1000 };
  }

  /** Answers the first failure. */
  async function carryOut(key: string, owner: T, { create, remove }: ReplicasPlan): Promise<unknown> {
    const template = owner.spec?.template;
    if (create > 0 && template) {
      expectations.expectCreations(key, create);
      const { successes, error } = await slowStart(create, () =>
        podControl.create(owner, template).catch((failure: unknown) => {
          // Every creation in it fails, and the namespace takes the owner with it.
          if (!isNamespaceTerminating(failure)) throw failure;
        }),
      );
      for (let skipped = successes; skipped < create; skipped++) expectations.creationObserved(key);
      return error;
    }
    if (remove.length === 0) return undefined;
    expectations.expectDeletions(key, remove.map(uidOf));
    const failures: unknown[] = [];
    await Promise.all(
      remove.map((pod) =>
        podControl.delete(owner, pod).catch((error: unknown) => {
          expectations.deletionObserved(key, uidOf(pod));
          if (!isNotFound(error)) failures.push(error);
        }),
      ),
    );
    return failures[0];
  }

  /** Once more, on the newest state, when somebody else wrote meanwhile. */
  async function writeStatus(key: string, owner: T, status: ReplicaSetStatus): Promise<T> {
    const written = await replicas
      .updateStatus(owner, status)
      .catch(async () => replicas.updateStatus(await replicas.get(owner), status));
    const { uid = "", resourceVersion = "" } = written.metadata ?? {};
    consistency.wroteAt({ key, uid: owner.metadata?.uid ?? uid }, resource, resourceVersion);
    return written;
  }

  /** The pods of all ReplicaSets that the owner's Deployment has. */
  function relatedPods(owner: T): CachedPod[] {
    const related = new Map<string, CachedPod>();
    for (const sibling of replicas.siblingsOf(owner)) {
      const { namespace = "" } = sibling.metadata ?? {};
      for (const pod of createLister(pods.indexer).namespace(namespace).list(replicas.selectorOf(sibling)))
        related.set(keyOf(pod), pod);
    }
    return [...related.values()];
  }
  return loop;
}
