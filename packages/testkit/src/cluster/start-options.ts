import type { ClusterApiServerOptions, ClusterOptions } from "@coxswain/cluster";
import type { Logger } from "@coxswain/runtime/log";
import { systemRandom } from "@coxswain/runtime/random";

export interface StartClusterOptions
  extends Pick<
    ClusterOptions,
    "nodes" | "nodeSettings" | "controllers" | "controllerSettings" | "scheduler" | "loadBalancers"
  > {
  /** Where time begins, in milliseconds since 1970. @default 2026-01-01T00:00:00Z */
  readonly startMs?: number;
  /** Makes names, tokens and faults repeat themselves. @default COXSWAIN_SEED, or a new one for each cluster */
  readonly seed?: number;
  /** Gates of the API server and all components that differ from Kubernetes 1.36's defaults. @default none */
  readonly featureGates?: ReadonlyMap<string, string>;
  /** @default silent */
  readonly log?: Logger;
  readonly apiServer?: Omit<ClusterApiServerOptions, "store" | "initial" | "filters">;
}

/** 2026-01-01T00:00:00Z */
export const defaultStart = Date.UTC(2026, 0, 1);

/** That of the environment, or one by chance. */
export const newSeed = (): number => seedFromEnvironment() ?? Math.floor(systemRandom.next() * 2 ** 31);

function seedFromEnvironment(): number | undefined {
  const text = process.env["COXSWAIN_SEED"];
  if (text === undefined || text === "") return undefined;
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`COXSWAIN_SEED must be a whole number, not ${JSON.stringify(text)}`);
  return seed;
}
