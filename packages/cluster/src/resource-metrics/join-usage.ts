import type { NodeMetrics, PodMetrics, UsageReader } from "@coxswain/kubelet";

/** What several know, each of nodes of its own. */
export const joinUsage = (readers: readonly UsageReader[]): UsageReader => ({
  nodeMetrics: (name) => firstOf(readers, (reader) => reader.nodeMetrics(name)),
  podMetrics: (namespace, name) => firstOf(readers, (reader) => reader.podMetrics(namespace, name)),
  allNodeMetrics: () => allOf(readers, (reader) => reader.allNodeMetrics()),
  allPodMetrics: (namespace) => allOf(readers, (reader) => reader.allPodMetrics(namespace)),
});

async function firstOf<T>(
  readers: readonly UsageReader[],
  ask: (reader: UsageReader) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const reader of readers) {
    const found = await ask(reader);
    if (found) return found;
  }
  return undefined;
}

/** In the order that lists of the API have: by namespace and name. */
async function allOf<T extends NodeMetrics | PodMetrics>(
  readers: readonly UsageReader[],
  ask: (reader: UsageReader) => Promise<T[]>,
): Promise<T[]> {
  const all = (await Promise.all(readers.map(ask))).flat();
  const keyOf = ({ metadata: { namespace = "", name } }: T): string => `${namespace}/${name}`;
  return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
