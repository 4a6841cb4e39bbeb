import type { ExtensionPointTimer } from "../framework/extension-point-timer.js";
import type { Profile } from "../framework/profile.js";
import type { SchedulerCore } from "./scheduler-core.js";

/** What extension points of a profile take goes into the scheduler's metrics. */
export const timerOf = (
  { runtime: { clock }, metrics }: Pick<SchedulerCore, "runtime" | "metrics">,
  { schedulerName }: Pick<Profile, "schedulerName">,
): ExtensionPointTimer => ({
  now: () => clock.monotonic(),
  observe: (point, began, status) =>
    metrics.extensionPoint(point, status?.code ?? "Success", schedulerName, (clock.monotonic() - began) / 1000),
});
