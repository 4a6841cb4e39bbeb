/** How a plugin answers. No status at all is success. */
export type StatusCode =
  /** Something went wrong: the pod is tried again after a while. */
  | "Error"
  /** The pod does not fit; removing other pods may help. */
  | "Unschedulable"
  /** The pod does not fit, and removing other pods does not help. */
  | "UnschedulableAndUnresolvable"
  /** The pod does not fit until something outside the scheduler has happened. */
  | "Pending";

export interface Status {
  readonly code: StatusCode;
  readonly reasons: readonly string[];
  /** Of the plugin that answered; "" where it was none. */
  readonly plugin: string;
  /** What went wrong; with code Error. */
  readonly error?: Error;
}

/** Statuses of filters are made once and shared, so that a filter allocates nothing for a node. */
export const unschedulable = (plugin: string, ...reasons: readonly string[]): Status => ({
  code: "Unschedulable",
  reasons,
  plugin,
});

export const unresolvable = (plugin: string, ...reasons: readonly string[]): Status => ({
  code: "UnschedulableAndUnresolvable",
  reasons,
  plugin,
});

export const pending = (plugin: string, ...reasons: readonly string[]): Status => ({
  code: "Pending",
  reasons,
  plugin,
});

export const errorStatus = (plugin: string, cause: unknown): Status => {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return { code: "Error", reasons: [error.message], plugin, error };
};

/** Whether the pod does not fit, as opposed to an error. */
export const isRejected = ({ code }: Status): boolean => code !== "Error";

/** All reasons in one line. */
export const messageOf = ({ reasons }: Status): string => reasons.join(", ");
