import type { QueuedPod } from "../framework/queued-pod.js";

/** Pods that wait for something to happen, indexed by the plugins that refused them: an event reaches only those that await it. */
export interface UnschedulablePods {
  add(pod: QueuedPod): void;
  get(key: string): QueuedPod | undefined;
  delete(key: string): void;
  /** Those that one of the plugins refused, each once. */
  refusedBy(plugins: Iterable<string>): readonly QueuedPod[];
  list(): readonly QueuedPod[];
  readonly size: number;
  /** How many of them a PreEnqueue plugin keeps back. */
  readonly gated: number;
}

interface Entry {
  readonly pod: QueuedPod;
  /** Under which it is indexed. */
  readonly plugins: readonly string[];
}

export function createUnschedulablePods(): UnschedulablePods {
  const pods = new Map<string, Entry>();
  const byPlugin = new Map<string, Set<QueuedPod>>();

  function remove(key: string): void {
    const entry = pods.get(key);
    if (entry === undefined) return;
    pods.delete(key);
    for (const plugin of entry.plugins) {
      const refused = byPlugin.get(plugin);
      refused?.delete(entry.pod);
      if (refused?.size === 0) byPlugin.delete(plugin);
    }
  }

  return {
    add(pod) {
      remove(pod.key);
      const plugins = [...new Set([...pod.unschedulablePlugins, ...pod.pendingPlugins])];
      pods.set(pod.key, { pod, plugins });
      for (const plugin of plugins) {
        const refused = byPlugin.get(plugin) ?? new Set();
        byPlugin.set(plugin, refused.add(pod));
      }
    },
    get: (key) => pods.get(key)?.pod,
    delete: remove,
    refusedBy(plugins) {
      const found = new Set<QueuedPod>();
      for (const plugin of plugins) for (const pod of byPlugin.get(plugin) ?? []) found.add(pod);
      return [...found];
    },
    list: () => [...pods.values()].map(({ pod }) => pod),
    get size() {
      return pods.size;
    },
    get gated() {
      let gated = 0;
      for (const { pod } of pods.values()) if (pod.gatingPlugin !== "") gated++;
      return gated;
    },
  };
}
