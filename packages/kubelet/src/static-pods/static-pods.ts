import type { Pod } from "@coxswain/api/core/v1";
import { isAlreadyExists, isConflict, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { Logger } from "@coxswain/runtime/log";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import type { PodWorker } from "../worker/pod-worker.js";
import { isMirrorOf, mirrorOf, planMirror } from "./mirror-pod.js";

/** The static pods of one node: their workers, and their mirrors in the API server. */
export interface StaticPods {
  /** Manifests as they are now; pods that are not among them end. */
  replace(pods: readonly Pod[]): void;
  mirrorChanged(mirror: CachedPod): void;
  mirrorDeleted(mirror: CachedPod): void;
  /** The worker of the pod that a mirror shows. */
  workerOf(mirror: CachedPod): PodWorker | undefined;
  owns(worker: PodWorker): boolean;
  /** The node lost what ran, or is back. */
  restart(): void;
  /** Tries again what failed. */
  reconcile(): void;
}

export interface StaticPodsOptions {
  readonly client: Client;
  node(): { readonly name: string; readonly uid: string } | undefined;
  /** Whether the node may start pods and reach the API server. */
  isUp(): boolean;
  /** Starts a worker; a status that the API server has makes it go on with what runs. */
  start(pod: CachedPod, hooks: StaticWorkerHooks): PodWorker;
  readonly log: Logger;
}

export interface StaticWorkerHooks {
  mirror(): CachedPod | undefined;
  onMirrorWritten(mirror: Pod): void;
  onGone(): void;
}

interface Entry {
  wanted: Pod | undefined;
  mirror: CachedPod | undefined;
  worker: PodWorker | undefined;
  /** A write about the mirror is under way. */
  isBusy: boolean;
}

const keyOf = (pod: CachedPod): string => `${namespaceOf(pod)}/${nameOf(pod)}`;

export const createStaticPods = (options: StaticPodsOptions): StaticPods => new MirroredPods(options);

class MirroredPods implements StaticPods {
  readonly #options: StaticPodsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: StaticPodsOptions) {
    this.#options = options;
  }

  replace(pods: readonly Pod[]): void {
    const wanted = new Map(pods.map((pod) => [keyOf(pod), pod]));
    for (const [key, entry] of this.#entries) if (!wanted.has(key)) entry.wanted = undefined;
    for (const [key, pod] of wanted) {
      const entry = this.#entryOf(key);
      // The same pod keeps the time at which it was first seen.
      if (!entry.wanted || uidOf(entry.wanted) !== uidOf(pod)) entry.wanted = pod;
    }
    for (const key of this.#entries.keys()) this.#step(key);
  }

  mirrorChanged(mirror: CachedPod): void {
    const key = keyOf(mirror);
    this.#entryOf(key).mirror = mirror;
    this.#step(key);
    this.#entries.get(key)?.worker?.wake();
  }

  mirrorDeleted(mirror: CachedPod): void {
    const entry = this.#entries.get(keyOf(mirror));
    if (!entry || !entry.mirror || uidOf(entry.mirror) !== uidOf(mirror)) return;
    entry.mirror = undefined;
    this.#step(keyOf(mirror));
  }

  workerOf(mirror: CachedPod): PodWorker | undefined {
    return this.#entries.get(keyOf(mirror))?.worker;
  }

  owns(worker: PodWorker): boolean {
    return [...this.#entries.values()].some((entry) => entry.worker === worker);
  }

  restart(): void {
    for (const entry of this.#entries.values()) entry.worker = undefined;
  }

  reconcile(): void {
    for (const key of this.#entries.keys()) this.#step(key);
  }

  #entryOf(key: string): Entry {
    let entry = this.#entries.get(key);
    if (!entry)
      this.#entries.set(key, (entry = { wanted: undefined, mirror: undefined, worker: undefined, isBusy: false }));
    return entry;
  }

  #step(key: string): void {
    const entry = this.#entryOf(key);
    if (!this.#options.isUp()) return;
    const { wanted, worker } = entry;
    // A changed manifest is another pod: it starts when nothing of the one before is left.
    if (worker && worker.uid !== (wanted && uidOf(wanted))) worker.end();
    if (!worker && wanted) this.#start(key, entry, wanted);
    void this.#reflect(key, entry);
    if (!entry.wanted && !entry.mirror && !entry.worker) this.#entries.delete(key);
  }

  #start(key: string, entry: Entry, wanted: Pod): void {
    const { mirror } = entry;
    const status = mirror && isMirrorOf(mirror, wanted) ? mirror.status : undefined;
    entry.worker = this.#options.start(status ? { ...wanted, status } : wanted, {
      mirror: () => entry.mirror,
      onMirrorWritten: (written) => void (entry.mirror = written),
      onGone: () => {
        entry.worker = undefined;
        this.#step(key);
      },
    });
  }

  async #reflect(key: string, entry: Entry): Promise<void> {
    const plan = planMirror({ ...entry, isOnNode: entry.worker !== undefined });
    const node = this.#options.node();
    if (plan === "keep" || entry.isBusy || !node) return;
    entry.isBusy = true;
    try {
      if (plan === "create" && entry.wanted) entry.mirror = await this.#create(entry.wanted, node);
      else if (entry.mirror) await this.#remove(entry.mirror);
      if (plan === "delete") entry.mirror = undefined;
    } catch (error) {
      this.#options.log.debug("a mirror pod was not written and is tried again", { pod: key, error });
      entry.isBusy = false;
      return;
    }
    entry.isBusy = false;
    this.#step(key);
    entry.worker?.wake();
  }

  async #create(pod: Pod, node: { readonly name: string; readonly uid: string }): Promise<CachedPod | undefined> {
    const pods = this.#options.client.core.v1.pods(namespaceOf(pod));
    try {
      return await pods.create(mirrorOf(pod, node));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return pods.get(nameOf(pod));
    }
  }

  async #remove(mirror: CachedPod): Promise<void> {
    try {
      const preconditions = { uid: uidOf(mirror) };
      await this.#options.client.core.v1
        .pods(namespaceOf(mirror))
        .delete(nameOf(mirror), { gracePeriodSeconds: 0, preconditions });
    } catch (error) {
      // Gone, or another one has its name: that one is reported by the watch.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
