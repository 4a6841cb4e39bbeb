import { getOwn } from "@coxswain/apimachinery/own";
import { isSeenError, type Observation, type Seen, type SeenError } from "./observe-store.js";

/** What is in a directory before it is damaged. */
export interface Truth {
  readonly keys: readonly string[];
  readonly observation: Observation;
  /** The records by revision, from the last that is in the data file on. */
  readonly past: Readonly<Record<number, Readonly<Record<string, Seen>> | SeenError>>;
}

/** What a process saw in a directory that was damaged. */
export type Outcome =
  | { readonly kind: "refused"; readonly message: string }
  | {
      readonly kind: "served";
      readonly lines: readonly string[];
      readonly observation: Observation;
      /** The records once it has been written to, closed and opened again; why not, where that was refused. */
      readonly afterwards: Readonly<Record<string, Seen>> | SeenError;
    };

export type Verdict =
  /** Everything is as it was. */
  | { readonly is: "harmless" }
  /** Opening failed with a sentence. */
  | { readonly is: "refused"; readonly why: string }
  /** What is not as it was is an error of its own, and all the rest is as it was; or a line reports that the end of the log is gone. */
  | { readonly is: "reported"; readonly why: string }
  /** The end of the write-ahead log is missing, and what is there is the state of the revision that the start line names. */
  | { readonly is: "end of the log"; readonly why: string }
  /** Something was served that is not true. */
  | { readonly is: "wrong"; readonly why: string };

/** Pure: compares what was seen with what is true. */
export function verdictOf({ observation: truth, past }: Truth, outcome: Outcome): Verdict {
  if (outcome.kind === "refused") return { is: "refused", why: outcome.message };
  const { lines, observation, afterwards } = outcome;
  if (observation.revision !== truth.revision) return compareEarlierEnd(past, outcome);
  const compared = [
    ...compare(truth.records, observation.records, "range"),
    ...compare(truth.gets, observation.gets, "get"),
    ...compare(truth.histories, observation.histories, "history"),
    ...compare(truth.events, observation.events, "watch"),
    ...(observation.leases === truth.leases ? [] : [{ wrong: `leases ${observation.leases}` }]),
    ...compare(truth.records, afterwards, "range after more writes"),
  ];
  const wrong = compared.find((one) => one.wrong !== undefined);
  if (wrong?.wrong !== undefined) return { is: "wrong", why: wrong.wrong };
  const error = compared.find((one) => one.error !== undefined)?.error;
  if (error !== undefined) return { is: "reported", why: error };
  const line = lines.find((each) => reportsLoss(each));
  return line === undefined ? { is: "harmless" } : { is: "reported", why: line };
}

const reportsLoss = (line: string): boolean => /is missing|not whole/.test(line);

function compareEarlierEnd(past: Truth["past"], { lines, observation }: Extract<Outcome, { kind: "served" }>): Verdict {
  const then = past[observation.revision];
  if (then === undefined) return { is: "wrong", why: `the store is at revision ${observation.revision}` };
  const [difference] = compare(then, observation.records, `range at ${observation.revision}`);
  if (difference !== undefined) return { is: "wrong", why: JSON.stringify(difference) };
  const line = lines.find((each) => each.includes(`revision ${observation.revision}`));
  if (line === undefined) return { is: "wrong", why: `no line names revision ${observation.revision}` };
  return { is: lines.some(reportsLoss) ? "reported" : "end of the log", why: line };
}

interface Difference {
  readonly wrong?: string;
  readonly error?: string;
}

/** Every part that differs: an error in its place is a report, anything else is wrong. */
function compare(truth: unknown, seen: unknown, where: string): Difference[] {
  if (isSeenError(seen)) return [{ error: `${where}: ${seen.error}` }];
  if (typeof truth !== "object" || truth === null || typeof seen !== "object" || seen === null)
    return truth === seen ? [] : [{ wrong: `${where}: ${JSON.stringify(seen)} instead of ${JSON.stringify(truth)}` }];
  const names = new Set([...Object.keys(truth), ...Object.keys(seen)]);
  return [...names].flatMap((name) =>
    compare(
      getOwn(truth as Record<string, unknown>, name),
      getOwn(seen as Record<string, unknown>, name),
      `${where} ${name}`,
    ),
  );
}
