import type { DeepReadonly } from "@coxswain/api";
import type { Volume } from "@coxswain/api/core/v1";
import type { PodRules } from "./pod-rules.js";

/** What the checks of a container need to know of its pod. */
export interface SpecFacts {
  readonly rules: PodRules;
  /** The volumes without a fault, by name. */
  readonly volumes: ReadonlyMap<string, DeepReadonly<Volume>>;
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriod: number | undefined;
  /** Undefined where the pod names no operating system. */
  readonly os: string | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}
