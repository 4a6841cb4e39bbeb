import type { Client } from "@coxswain/client";
import type { CacheOptions } from "../cache/index.js";
import type { Controller } from "../controller/index.js";
import { type Clusters, checkClusterName, type OpenCluster } from "./clusters.js";

/** The clusters of a manager, and the controllers that watch them. */
export class ManagedClusters implements Clusters {
  readonly #clusters = new Map<string, OpenCluster>();
  /** Controllers whose sources have started: clusters that come later are added to them. */
  readonly #engaged = new Map<Controller, AbortSignal>();
  readonly #open: (name: string, client: Client, cache: CacheOptions | undefined) => OpenCluster;
  /** Caches of clusters that come later start at once. */
  #isRunning = false;

  constructor(open: (name: string, client: Client, cache: CacheOptions | undefined) => OpenCluster) {
    this.#open = open;
  }

  get names(): readonly string[] {
    return [...this.#clusters.keys()];
  }

  has(name: string): boolean {
    return this.#clusters.has(name);
  }

  find(name: string): OpenCluster {
    const found = this.#clusters.get(name);
    if (found === undefined) throw new Error(`the manager has no cluster ${JSON.stringify(name)}`);
    return found;
  }

  all(): OpenCluster[] {
    return [...this.#clusters.values()];
  }

  /** From now on clusters that are added start at once. */
  began(): void {
    this.#isRunning = true;
  }

  open(name: string, client: Client, cache: CacheOptions | undefined): OpenCluster {
    const opened = this.#open(name, client, cache);
    this.#clusters.set(name, opened);
    return opened;
  }

  async add(name: string, client: Client, cache?: CacheOptions): Promise<void> {
    checkClusterName(name, this.#clusters);
    const { cluster, ending } = this.open(name, client, cache);
    if (!this.#isRunning) return;
    cluster.cache.start();
    await Promise.all(
      [...this.#engaged].map(([controller, signal]) =>
        controller.engage(cluster, AbortSignal.any([signal, ending.signal])),
      ),
    );
  }

  async remove(name: string): Promise<void> {
    if (name === "") throw new Error("the manager's own cluster cannot be removed");
    await this.#close(this.find(name));
    this.#clusters.delete(name);
  }

  /** Starts what a controller watches, in every cluster. */
  async engage(controller: Controller, signal: AbortSignal): Promise<void> {
    if (this.#engaged.has(controller)) return;
    this.#engaged.set(controller, signal);
    await Promise.all(
      this.all().map(({ cluster, ending }) => controller.engage(cluster, AbortSignal.any([signal, ending.signal]))),
    );
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.all().map((each) => this.#close(each)));
  }

  async #close({ cluster, events, ending }: OpenCluster): Promise<void> {
    ending.abort();
    await cluster.cache.stop();
    await events.stop();
  }
}
