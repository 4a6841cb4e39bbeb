import type { PriorityLevelConfigurationSpec } from "@coxswain/api/flowcontrol/v1";
import type { LevelLimits } from "./level-limits.js";
import type { QueueConfig, QueueSet } from "./queue-set.js";
import { RetryAfter } from "./retry-after.js";

/** A priority level in use: its configuration, its current limits and its queue set. */
export class PriorityLevel {
  readonly name: string;
  readonly queueSet: QueueSet;
  readonly retryAfter = new RetryAfter();
  uid = "";
  spec: PriorityLevelConfigurationSpec;
  limits: LevelLimits = { nominal: 0, min: 0, max: 0 };
  /** What it has of the seats at the moment. */
  current = 0;
  target = 0;
  maxSeatsPerRequest: number | undefined;
  /** Its object is gone; it stays until its last request has been answered. */
  isQuiescing = false;

  constructor(name: string, spec: PriorityLevelConfigurationSpec, queueSet: QueueSet) {
    this.name = name;
    this.spec = spec;
    this.queueSet = queueSet;
  }

  get isExempt(): boolean {
    return this.spec.type === "Exempt";
  }
}

export function queueConfigOf({ type, limited }: PriorityLevelConfigurationSpec): QueueConfig {
  if (type === "Exempt") return { type: "exempt" };
  const queuing = limited?.limitResponse?.queuing;
  return queuing
    ? { type: "queue", queues: queuing.queues ?? 64, queueLengthLimit: queuing.queueLengthLimit ?? 50 }
    : { type: "reject" };
}
