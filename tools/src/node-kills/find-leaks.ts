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

/** What belongs to no pod, as sentences. */
export interface Leaks {
  /** What a kubelet answers for: it made it, or could have the runtime remove it. */
  readonly kubelet: readonly string[];
  /**
   * What only the runtime knew, and has forgotten: it was killed between making a thing and writing it down. No call of CRI names it, so
   * that no kubelet can have it removed.
   */
  readonly runtime: readonly string[];
}

/** A link has the ID of a container in its name, and is the kubelet's. */
export const logLink = "link to a log";

/**
 * Pure: what belongs to none of these pods. A thing belongs to the container whose ID, the network namespace whose name or
 * the pod whose uid is in its name, in this order; one without any belongs to the machine.
 */
export function findLeaks({ containers, things }: Remains, pods: ReadonlySet<string>): Leaks {
  const known = containers.filter(({ podUid }) => pods.has(podUid));
  const namesOf = (of: Remains["containers"]): ReadonlySet<string | undefined> =>
    new Set(of.flatMap(({ id, netns }) => [id, netns]));
  const [alive, recorded] = [namesOf(known), namesOf(containers)];
  const leaks = {
    kubelet: containers
      .filter(({ podUid }) => !pods.has(podUid))
      .map(({ id, podUid }) => `container or sandbox ${id} of pod ${podUid}`),
    runtime: new Array<string>(),
  };
  for (const { what, name } of things) {
    const owner = (patterns.containerId.exec(name) ?? patterns.netns.exec(name))?.[0];
    const podUid = patterns.netns.test(name) ? undefined : patterns.podUid.exec(name)?.[1];
    const isOfDeadPod = podUid !== undefined && !pods.has(podUid);
    if (owner === undefined ? !isOfDeadPod : alive.has(owner)) continue;
    const isForgotten = owner !== undefined && !recorded.has(owner) && !isOfDeadPod && what !== logLink;
    leaks[isForgotten ? "runtime" : "kubelet"].push(`${what} ${name}`);
  }
  return leaks;
}
