/** A condition before it has a time. */
export interface PlannedCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

export const holds = (type: string, reason: string = type, message = ""): PlannedCondition => ({
  type,
  status: "True",
  reason,
  message,
});

export const fails = (type: string, reason: string, message: string): PlannedCondition => ({
  type,
  status: "False",
  reason,
  message,
});
