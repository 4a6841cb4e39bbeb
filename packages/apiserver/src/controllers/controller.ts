import { runtimeFrom } from "@coxswain/runtime";
import { type Activity } from "@coxswain/runtime/activity";
import { withTimerKind } from "@coxswain/runtime/clock";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createReconcileLoop, type ReconcileLoop } from "@coxswain/client/controller";
import { createSharedInformer, filterListerWatcher, type SharedIndexInformer } from "@coxswain/client/informers";
import { ResourceClient } from "@coxswain/client/resource";
import { createRestClient } from "@coxswain/client/rest";
import type { Transport } from "@coxswain/client/transport";
import type { Logger } from "@coxswain/runtime/log";
import type { AnyKind } from "@coxswain/kinds";
import type { ObjectDeps } from "../objects/object-deps.js";
import type { KindOf } from "../registry/own-objects/ensure-objects.js";

/**
 * One of the controllers inside the server: it keeps objects of the server's own as they should be. Informers over the
 * in-process transport wake keys of a work queue, as in any other controller. Its reconcile reads the watch caches by a
 * `Lister`, as admission does, because they hold every write before its writer is answered, and writes through `objects`
 * in the server's own name, because what the server needs must not depend on admission webhooks.
 */
export interface Keeper {
  /** Begins to work; called once the informers have synced or failed. It reads the watch caches, so that the latter only wake it later. */
  run(): void;
  stop(): Promise<void>;
}

/** What keepers work with. */
export interface KeeperContext {
  readonly objects: ObjectDeps;
  readonly kindOf: KindOf;
  readonly log: Logger;
  /** What changes of this kind are received by, or only those of one object. Undefined: clients cannot reach the kind, so nothing changes. */
  informer(kind: AnyKind, only?: ObjectName): SharedIndexInformer<KubernetesObject> | undefined;
  /** A loop with one worker. `failure` is logged when a reconcile throws, before it is tried again. */
  loop(options: KeeperLoopOptions): ReconcileLoop;
}

export interface ObjectName {
  /** "" for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface KeeperLoopOptions {
  readonly name: string;
  readonly failure: string;
  reconcile(key: string, signal: AbortSignal): Promise<void | { readonly requeueAfterMs: number }>;
}

export interface KeeperContextOptions {
  readonly objects: ObjectDeps;
  readonly kindOf: KindOf;
  readonly log: Logger;
  /** Of this server, as itself. */
  readonly transport: Transport;
  /** Kinds that clients reach. */
  readonly served: readonly AnyKind[];
  readonly activity: Activity;
}

export interface OpenedKeeperContext extends KeeperContext {
  /**
   * Starts the informers that were asked for; resolves once each has synced or failed for the first time: one whose resource cannot be
   * listed, because a stored value cannot be read, must not keep the other keepers waiting. Rejects when they stop before.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function openKeeperContext(options: KeeperContextOptions): OpenedKeeperContext {
  const { objects, kindOf, log, transport, served, activity } = options;
  const runtime = runtimeFrom({ clock: withTimerKind(objects.clock, "upkeep"), random: objects.random, log, activity });
  const rest = createRestClient({ transport });
  const informers: SharedIndexInformer<KubernetesObject>[] = [];
  const firstFailures: Promise<void>[] = [];
  return {
    objects,
    kindOf,
    log,
    informer({ group, resource }, only) {
      const kind = served.find((each) => each.group === group && each.resource === resource);
      if (!kind) return undefined;
      const client = new ResourceClient<KubernetesObject>(rest, kind, only?.namespace || undefined);
      let failed = (): void => {};
      firstFailures.push(new Promise((resolve) => (failed = resolve)));
      const informer = createSharedInformer<KubernetesObject>({
        listerWatcher: only ? filterListerWatcher(client, { fieldSelector: `metadata.name=${only.name}` }) : client,
        runtime,
        onError(error) {
          failed();
          log.debug("an informer of the server lost its watch and recovers", { resource, error });
        },
      }) as SharedIndexInformer<KubernetesObject>;
      informers.push(informer);
      return informer;
    },
    loop: ({ name, failure, reconcile }) =>
      createReconcileLoop({
        name,
        reconcile,
        runtime,
        onError: (error, key) => log.warn(failure, { key, error }),
      }),
    async start() {
      for (const informer of informers) informer.start();
      await Promise.all(
        informers.map((informer, index) => Promise.race([informer.whenSynced(), firstFailures[index]])),
      );
    },
    stop: async () => void (await Promise.all(informers.map((informer) => informer.stop()))),
  };
}

/** Reconciles everything at once, whenever one of the objects changes: for keepers of a few objects. */
export function createWholeKeeper(
  context: KeeperContext,
  {
    name,
    failure,
    watched,
    reconcile,
  }: Omit<KeeperLoopOptions, "reconcile"> & {
    readonly watched: readonly { readonly kind: AnyKind; readonly only?: ObjectName }[];
    readonly reconcile: () => Promise<void>;
  },
): Keeper {
  const loop = context.loop({ name, failure, reconcile });
  for (const { kind, only } of watched) {
    const informer = context.informer(kind, only);
    if (informer) loop.watchFor(informer, () => [name]);
  }
  // Also when there is no object yet that could wake it.
  loop.queue.add(name);
  return loop;
}
