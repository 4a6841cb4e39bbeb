import type { ClusterObjects, ObjectStore } from "../framework/cluster-objects.js";
import type { Node, Pod } from "../pod/objects.js";

type ObjectLists = {
  readonly [K in keyof ClusterObjects]?: ClusterObjects[K] extends ObjectStore<infer T> ? readonly T[] : never;
};

/** One pod to be scheduled in a cluster, as the program that asks upstream's framework takes it. */
export interface Problem {
  readonly nodes: readonly Node[];
  /** Those that run. */
  readonly pods: readonly Pod[];
  readonly pod: Pod;
  readonly objects: ObjectLists;
  /** KubeSchedulerConfiguration in YAML; upstream's defaults where it is empty. */
  readonly config: string;
}

export interface StatusAnswer {
  readonly code: string;
  /** Sorted. */
  readonly reasons?: readonly string[];
  readonly plugin?: string;
}

/** What the framework makes of a problem. */
export interface Solution {
  readonly preFilter?: StatusAnswer;
  /** Sorted. */
  readonly nodeNames?: readonly string[];
  /** By node; null for one that passed. */
  readonly filter?: Readonly<Record<string, StatusAnswer | null>>;
  /** Weighted, by plugin and node. */
  readonly scores?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly failure?: string;
  /** Victims by node. */
  readonly candidates?: Readonly<Record<string, { readonly pods: readonly string[]; readonly violations: number }>>;
  readonly refused?: Readonly<Record<string, StatusAnswer>>;
  /** The node that preemption chooses. */
  readonly pick?: string;
}

export function storeOf<T extends { readonly metadata?: { readonly namespace?: string; readonly name?: string } }>(
  list: readonly T[],
): ObjectStore<T> {
  const byKey = new Map(
    list.map((object) => {
      const { namespace, name = "" } = object.metadata ?? {};
      return [namespace ? `${namespace}/${name}` : name, object] as const;
    }),
  );
  return {
    get: (key) => byKey.get(key),
    list: () => list,
    inNamespace: (namespace) => list.filter(({ metadata }) => metadata?.namespace === namespace),
  };
}
