import type { Taint } from "@coxswain/api/core/v1";

/** A node as it is asked for; everything but its name has a default. */
export interface NodeSpec {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** Quantities by resource, beside or instead of `defaultCapacity`. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** @default the capacity */
  readonly allocatable?: Readonly<Record<string, string>>;
  /** For pods, where the node's spec has none. @default a /24 of 10.244.0.0/14, by the node's number */
  readonly podCIDR?: string;
  /** InternalIP. @default one of 172.18.0.0/16, by the node's number */
  readonly address?: string;
  /** A further InternalIP of a real node, of the other family. */
  readonly otherAddress?: string;
}

/** As large as KWOK's nodes. */
export const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: "32",
  "ephemeral-storage": "1Ti",
  "hugepages-1Gi": "0",
  "hugepages-2Mi": "0",
  memory: "256Gi",
  pods: "110",
};

/** Specs of `count` nodes that differ only in their names: node-0, node-1, … */
export const numberedNodes = (count: number): NodeSpec[] =>
  Array.from({ length: count }, (_, i) => ({ name: `node-${i}` }));

/** Of simulated nodes that share a cluster with real ones: pods that do not tolerate it really run. */
export const simulatedTaint: Taint = { key: "coxswain.dev/simulated", effect: "NoSchedule" };
