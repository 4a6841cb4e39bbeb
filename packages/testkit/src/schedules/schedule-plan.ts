/** Faults that a schedule may contain. Each hits one write of a program under test. */
export const scheduledFaults = [
  "conflict",
  "tooManyRequests",
  "internalError",
  "lostAnswer",
  "partition",
  "crash before",
  "crash after",
  "dropWatches",
] as const;
export type ScheduledFault = (typeof scheduledFaults)[number];

/** One way in which a run differs from the plain one. */
export type ScheduleChange =
  /** A step of a program (sending a request, receiving an answer or an event) happens later. */
  | { readonly do: "hold"; readonly step: string; readonly nth: number; readonly for: HoldLength }
  /** A work queue hands out another of its ready items first. */
  | { readonly do: "pick"; readonly nth: number; readonly item: number }
  | { readonly do: "fault"; readonly fault: ScheduledFault; readonly write: number };

/** So many other steps; until nothing else moves; or, for events, a time by the cluster's clock: a watch that lags. */
export type HoldLength = number | "quiet" | { readonly seconds: number };

/** What makes a run, beside its seed. */
export type SchedulePlan = readonly ScheduleChange[];

/** As people read it, and as `parsePlan` does. */
export const formatPlan = (plan: SchedulePlan): string => plan.map(formatChange).join("; ");

export function formatChange(change: ScheduleChange): string {
  switch (change.do) {
    case "hold":
      return `hold <${change.step}> #${change.nth} ${formatLength(change.for)}`;
    case "pick":
      return `pick #${change.nth} item ${change.item}`;
    case "fault":
      return `${change.fault} at write ${change.write}`;
  }
}

function formatLength(length: HoldLength): string {
  if (length === "quiet") return "until quiet";
  return typeof length === "number" ? `for ${length} steps` : `for ${length.seconds}s`;
}

/** @throws Error for a text that is no schedule */
export function parsePlan(text: string): SchedulePlan {
  return text
    .split("; ")
    .filter((part) => part !== "")
    .map((part) => {
      const hold = /^hold <([^>]*)> #(\d+) (?:until quiet|for (\d+) steps|for (\d+)s)$/.exec(part);
      if (hold) {
        const [, step = "", nth, steps, seconds] = hold;
        const length =
          steps !== undefined ? Number(steps) : seconds === undefined ? "quiet" : { seconds: Number(seconds) };
        return { do: "hold", step, nth: Number(nth), for: length };
      }
      const pick = /^pick #(\d+) item (\d+)$/.exec(part);
      if (pick) return { do: "pick", nth: Number(pick[1]), item: Number(pick[2]) };
      const fault = scheduledFaults.find((name) => part.startsWith(`${name} at write `));
      const write = Number(part.slice(part.lastIndexOf(" ") + 1));
      if (fault && Number.isSafeInteger(write)) return { do: "fault", fault, write };
      throw new Error(`COXSWAIN_SCHEDULE has ${JSON.stringify(part)}, which is no change of a schedule`);
    });
}
