/** What is on a machine: things with their names or paths, and whom containers belong to. */
export interface Remains {
  /** Containers and sandboxes as the runtime has them. */
  readonly containers: readonly {
    readonly id: string;
    readonly podUid: string;
    /** The network namespace that it is in, where it has one. */
    readonly netns?: string;
  }[];
  /** Everything else, by what it is: mount points, control groups, network namespaces, files. */
  readonly things: readonly { readonly what: string; readonly name: string }[];
}

const uid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}";
const patterns = {
  containerId: /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/,
  netns: /cni-[0-9a-f-]{36}/,
  podUid: new RegExp(`(?<![0-9a-f-])(?:pod)?(${uid})(?![0-9a-f])`),
};

/**
 * Pure: what belongs to none of these pods, as sentences. A thing belongs to the container whose ID, the network namespace whose name or
 * the pod whose uid is in its name, in this order; one without any belongs to the machine.
 */
export function findLeaks({ containers, things }: Remains, pods: ReadonlySet<string>): string[] {
  const known = containers.filter(({ podUid }) => pods.has(podUid));
  const ids = new Set(known.map(({ id }) => id));
  const namespaces = new Set(known.map(({ netns }) => netns));
  const belongs = (name: string): boolean => {
    const id = patterns.containerId.exec(name)?.[0];
    if (id !== undefined) return ids.has(id);
    const netns = patterns.netns.exec(name)?.[0];
    if (netns !== undefined) return namespaces.has(netns);
    const podUid = patterns.podUid.exec(name)?.[1];
    return podUid === undefined || pods.has(podUid);
  };
  return [
    ...containers
      .filter(({ podUid }) => !pods.has(podUid))
      .map(({ id, podUid }) => `container or sandbox ${id} of pod ${podUid}`),
    ...things.filter(({ name }) => !belongs(name)).map(({ what, name }) => `${what} ${name}`),
  ];
}
