import type { Diagnosis } from "../framework/diagnosis.js";
import type { Status } from "../framework/status.js";
import type { Nomination } from "../queue/nominator.js";

/** How an attempt failed. */
export interface ScheduleFailure {
  /** Whether the pod does not fit (Unschedulable), or something went wrong (SchedulerError). */
  readonly reason: "Unschedulable" | "SchedulerError";
  /** For the event and the condition. */
  readonly message: string;
  /** What decides when the pod is tried again; none after an error. */
  readonly diagnosis?: Pick<Diagnosis, "unschedulablePlugins" | "pendingPlugins">;
  /** The message by nodes. */
  readonly byNode?: () => string;
  readonly nomination: Nomination;
}

/** A nomination that the pod may have is void. */
export const clearNomination: Nomination = { nodeName: "" };

export const failureOf = (status: Status, nomination: Nomination = clearNomination): ScheduleFailure => ({
  reason: status.code === "Error" ? "SchedulerError" : "Unschedulable",
  message: status.reasons.join(", "),
  nomination,
});
