export { type Activity, createActivity, during, noActivity } from "./activity.js";
export type { WorkTrace } from "./work-trace.js";
