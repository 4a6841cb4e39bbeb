import { FlagError } from "@coxswain/component/flags";

export interface SplitFacts {
  /** Simulated ones. */
  readonly nodes: number;
  /** Whether containers really run on others. */
  readonly isReal: boolean;
  /** Of this machine. */
  readonly cores: number;
}

/**
 * From so many simulated nodes on, parts of their own pay for themselves: below, one process needs less memory and starts sooner
 * (docs/performance.md, "Several processes").
 */
export const splitFromNodes = 500;

/** Pure: whether controllers and simulated nodes are processes of their own. @throws FlagError where they cannot be */
export function chooseSplit(asked: string, { nodes, isReal, cores }: SplitFacts): boolean {
  switch (asked) {
    case "on":
      if (isReal)
        throw new FlagError(
          "--split=on goes with simulated nodes: with --runtime containerd nodes are processes of their own already",
        );
      return true;
    case "off":
      return false;
    default:
      return !isReal && cores > 1 && nodes >= splitFromNodes;
  }
}
