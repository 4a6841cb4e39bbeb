/** A pod as the API server shows it, as far as it is looked at. */
export interface SeenPod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly SeenContainer[];
    readonly initContainerStatuses?: readonly SeenContainer[];
  };
}

interface SeenContainer {
  readonly name: string;
  readonly containerID?: string;
  readonly restartCount: number;
  readonly state?: { readonly running?: { readonly startedAt: string } };
}

export const isReady = ({ status }: SeenPod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false;

/** Notes the runs of containers of pods that have been ready once, and finds those that were replaced. */
export class Lives {
  readonly #runs = new Map<string, string>();
  readonly #problems = new Set<string>();

  /** How many containers are followed. */
  get size(): number {
    return this.#runs.size;
  }

  look(pod: SeenPod): void {
    if (pod.metadata.deletionTimestamp !== undefined) return;
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    for (const { name, state, containerID, restartCount } of [...containerStatuses, ...initContainerStatuses]) {
      const key = `${pod.metadata.uid}/${name}`;
      const known = this.#runs.get(key);
      // Init containers that are over have no life to follow.
      if (known === undefined && (!isReady(pod) || !state?.running)) continue;
      const run = `${containerID} since ${state?.running?.startedAt} (${restartCount} restarts)`;
      if (known === undefined) this.#runs.set(key, run);
      else if (run !== known) this.#problems.add(`${pod.metadata.name}/${name}: ${known}, then ${run}`);
    }
  }

  /** Containers that did not live on. */
  problems(): string[] {
    return [...this.#problems];
  }
}
