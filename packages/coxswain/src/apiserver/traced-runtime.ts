import type { HistoryOptions } from "@coxswain/apiserver";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";

/** The platform's runtime; with a history, work items are traced for it. */
export const tracedRuntime = (given: Partial<Runtime>, history: HistoryOptions | undefined): Runtime =>
  systemRuntime({ ...given, ...(history?.works && { activity: { ...noActivity, trace: history.works } }) });
