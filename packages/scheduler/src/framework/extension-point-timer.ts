import type { Status } from "./status.js";

/** The names of kube-scheduler's metrics. PreScore and Score are one step here, which counts as Score. */
export type ExtensionPoint =
  | "PreFilter"
  | "Filter"
  | "PostFilter"
  | "Score"
  | "Reserve"
  | "Unreserve"
  | "Permit"
  | "PreBind"
  | "Bind"
  | "PostBind";

/** Measures how long the plugins of an extension point take, all together. */
export interface ExtensionPointTimer {
  now(): number;
  /** `began`: what `now` answered before. No status is success. */
  observe(point: ExtensionPoint, began: number, status?: Status): void;
}

export const noTimer: ExtensionPointTimer = { now: () => 0, observe() {} };
