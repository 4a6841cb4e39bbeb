import type { Item } from "../snapshot.js";

/** Upstream's default for deployments, stateful sets and daemon sets; the version in use is not counted. */
const historyLimit = 10;

/** Pure: objects that nobody will ever delete although what they belong to is gone, one sentence each. */
export function leaks(items: readonly Item[]): string[] {
  const uids = new Set(items.map(({ metadata }) => metadata.uid));
  const names = new Set(items.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`));
  const found: string[] = [];
  const versions = new Map<string, number>();
  for (const item of items) {
    const { kind, metadata } = item;
    const self = `${kind} ${metadata.namespace ?? ""}/${metadata.name}`;
    for (const owner of metadata.ownerReferences ?? []) {
      if (!uids.has(owner.uid)) found.push(`${self} belongs to ${owner.kind} ${owner.name}, which is gone`);
      if (kind === "ReplicaSet" || kind === "ControllerRevision")
        versions.set(owner.uid, (versions.get(owner.uid) ?? 0) + 1);
    }
    const needed = neededBy(item);
    if (needed !== undefined && !names.has(needed)) found.push(`${self} is there without ${needed}`);
  }
  for (const [uid, count] of versions)
    if (count > historyLimit + 1) found.push(`${count} versions of the owner with uid ${uid} are kept`);
  return found;
}

/** What else must be there, by name, beside owners. */
function neededBy({ kind, metadata, ...rest }: Item): string | undefined {
  const { namespace = "", name } = metadata;
  switch (kind) {
    case "Endpoints":
      return `Service ${namespace}/${name}`;
    case "EndpointSlice":
      return `Service ${namespace}/${metadata.labels?.["kubernetes.io/service-name"] ?? name}`;
    case "Lease":
      return namespace === "kube-node-lease" ? `Node /${name}` : undefined;
    case "IPAddress": {
      const { parentRef } = (rest["spec"] ?? {}) as { parentRef?: { namespace: string; name: string } };
      return parentRef && `Service ${parentRef.namespace}/${parentRef.name}`;
    }
    default:
      return undefined;
  }
}
