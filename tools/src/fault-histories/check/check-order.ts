import { type CommittedLog } from "../history/committed-log.js";
import { isWrite, type Operation, type SeenObject } from "../history/operation.js";
import type { ChangesOfWrites } from "./check-writes.js";
import { describeOperation, sameObject } from "./describe.js";

/**
 * Linearizability (Herlihy and Wing): every operation can be given one moment between its call and its answer so that all of them, in the
 * order of these moments, are what one register after the other would have answered. With the log the order of the writes is known, and a
 * moment is a revision: a write's is its own, a read's any at which its answer was the state. So what is hard in general is simple
 * here: going through the calls in their order, each takes the smallest revision that fits it and is not before any that was answered
 * before the call. Where none fits, there is no order at all, because smaller choices only leave more room for later ones.
 */
export function checkOrder(operations: readonly Operation[], log: CommittedLog, changes: ChangesOfWrites): string[] {
  const problems: string[] = [];
  const byEnd = operations.filter(({ outcome }) => outcome.kind !== "unknown").sort((a, b) => a.ended - b.ended);
  const taken = new Map<Operation, number>();
  const ceilingOf = ceilings(changes);
  let answered = 0;
  let floor = 0;
  for (const operation of [...operations].sort((a, b) => a.began - b.began)) {
    for (; answered < byEnd.length && byEnd[answered]!.ended < operation.began; answered++)
      floor = Math.max(floor, taken.get(byEnd[answered]!) ?? 0);
    const found = momentOf(operation, { floor, ceiling: ceilingOf(operation), log, changes });
    if (typeof found === "string") problems.push(`${describeOperation(operation)} ${found}`);
    else if (found !== undefined) taken.set(operation, found);
  }
  return problems;
}

/** Between which revisions an operation can have been. */
interface Bounds {
  /** Answered before it was sent. */
  readonly floor: number;
  /** The first one that was sent after it was answered. */
  readonly ceiling: number;
  readonly log: CommittedLog;
  readonly changes: ChangesOfWrites;
}

/** Of an operation, the smallest revision of all writes that were sent after it was answered: so a problem is named where it is, not at those writes. */
function ceilings(changes: ChangesOfWrites): (operation: Operation) => number {
  const sent = Array.from(changes, ([{ began }, { revision }]) => ({ began, revision })).sort(
    (a, b) => b.began - a.began,
  );
  let least = Number.POSITIVE_INFINITY;
  const leastSince = sent.map(({ began, revision }) => ({ began, least: (least = Math.min(least, revision)) }));
  return ({ ended }) => leastSince.findLast(({ began }) => began > ended)?.least ?? Number.POSITIVE_INFINITY;
}

/** A revision; why there is none; undefined where anything is right. */
function momentOf(operation: Operation, bounds: Bounds): number | string | undefined {
  const { request, outcome } = operation;
  const { floor, ceiling, log, changes } = bounds;
  const change = changes.get(operation);
  if (change) {
    if (change.revision > floor) return change.revision;
    return `has revision ${change.revision}, but ${floor} was answered before it was sent`;
  }
  if (isWrite(operation)) return whereRefused(operation, bounds);
  if (!("read" in request) || request.read !== "newest") return undefined;
  if (outcome.kind === "listed") {
    if (outcome.revision < floor) return `is stale: revision ${outcome.revision}, but ${floor} was answered before`;
    if (outcome.revision < ceiling) return outcome.revision;
    return `is of the future: revision ${outcome.revision}, but ${ceiling} was sent only after it was answered`;
  }
  if (request.verb !== "get" || (outcome.kind !== "done" && outcome.kind !== "absent")) return undefined;
  const seen = outcome.kind === "done" ? outcome.object : undefined;
  const at = log.firstAt(request.key, floor, (object) => sameObject(object, seen));
  if (at !== undefined && at < ceiling) return at;
  return `is stale or invented: ${seen?.revision ?? "nothing"} is not there ${between(bounds)}`;
}

const between = ({ floor, ceiling }: Bounds): string =>
  `from revision ${floor} on${ceiling === Number.POSITIVE_INFINITY ? "" : `, before ${ceiling}`}`;

/** A refusal is a read: the object was there, was not there, or was another. */
function whereRefused({ request, outcome }: Operation, bounds: Bounds): number | string | undefined {
  if (!("key" in request) || (outcome.kind !== "absent" && outcome.kind !== "conflict")) return undefined;
  const at = bounds.log.firstAt(request.key, bounds.floor, (object) =>
    outcome.kind === "absent" ? object === undefined : refuses(request, object),
  );
  if (at !== undefined && at < bounds.ceiling) return at;
  return `was refused without a reason (${outcome.kind}) ${between(bounds)}`;
}

function refuses(request: Operation["request"], object: SeenObject | undefined): boolean {
  if (request.verb === "create") return object !== undefined;
  const expected = "expected" in request ? request.expected : undefined;
  const uid = "uid" in request ? request.uid : undefined;
  return (expected !== undefined && object?.revision !== expected) || (uid !== undefined && object?.uid !== uid);
}
