/** A feature gate as Kubernetes 1.36 has it. */
export interface FeatureGateInfo {
  readonly name: string;
  readonly stage: "Alpha" | "Beta" | "GA" | "Deprecated";
  readonly default: boolean;
  /** Setting it to anything but its default is an error. */
  readonly locked: boolean;
  /** The module that declares it; those of "client-go" are client gates, set through the environment. */
  readonly owner: string;
  /** Gates without which this one may not be on. */
  readonly requires: readonly string[];
}
