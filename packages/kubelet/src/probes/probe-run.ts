import type { Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** The same results in a row. */
export interface ProbeRun {
  readonly isSuccess: boolean | undefined;
  readonly count: number;
}

export const noProbeRun: ProbeRun = { isSuccess: undefined, count: 0 };

/** Pure: the next result of a probe, and whether there are now as many in a row as its threshold asks for (pkg/kubelet/prober/worker.go, doProbe). */
export function countResult(
  run: ProbeRun,
  isSuccess: boolean,
  { successThreshold, failureThreshold }: DeepReadonly<Probe>,
): { readonly run: ProbeRun; readonly isReached: boolean } {
  const count = run.isSuccess === isSuccess ? run.count + 1 : 1;
  const threshold = isSuccess ? (successThreshold ?? 1) : (failureThreshold ?? 3);
  return { run: { isSuccess, count }, isReached: count >= threshold };
}
