/**
 * What one probe found, as upstream's `pkg/probe` has it. A warning counts as a success and is recorded as an event. An error
 * is no result: the probe is run again, and does not count.
 */
export type ProbeResult =
  | { readonly kind: "success" | "warning" | "failure"; readonly output: string; readonly until?: number }
  /** `state`: the word for it in the event. */
  | { readonly kind: "error"; readonly state: "unknown" | "failure"; readonly error: string };
