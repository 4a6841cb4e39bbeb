import { type Change, type CommittedLog, objectAfter } from "../history/committed-log.js";
import type { Operation, SeenEvent, SeenObject, WatchSegment } from "../history/operation.js";
import type { ChangesOfWrites } from "./check-writes.js";
import { sameObject } from "./describe.js";

type ObjectEvent = Exclude<SeenEvent, { type: "BOOKMARK" }>;
type Expected = Pick<ObjectEvent, "type" | "object">;

/**
 * What a watch delivered is the log after its beginning, up to where it ended: in order, without gaps, nothing twice, nothing else; a
 * bookmark is not ahead of what was delivered and never goes back; and nothing arrives before somebody wrote it.
 */
export function checkWatches(watches: readonly WatchSegment[], log: CommittedLog, changes: ChangesOfWrites): string[] {
  const sentAt = new Map(Array.from(changes, ([{ began }, { revision }]: [Operation, Change]) => [revision, began]));
  return watches.flatMap((segment) => {
    const problem = firstProblem(segment, log, sentAt);
    const { watcher, server, from } = segment;
    return problem === undefined ? [] : [`watcher ${watcher} from ${from} on server ${server + 1}: ${problem}`];
  });
}

/** Of one watch the rest is wrong, too, once something is. */
function firstProblem(
  { from, selector, events }: WatchSegment,
  log: CommittedLog,
  sentAt: ReadonlyMap<number, number>,
): string | undefined {
  const expected = log.after(from).flatMap((change) => expectedOf(change, selector));
  let next = 0;
  let reached = from;
  for (const event of events) {
    const due = expected[next];
    if (event.type === "BOOKMARK") {
      if (event.revision < reached) return `the bookmark ${event.revision} goes back behind ${reached}`;
      if (due && due.object.revision <= event.revision)
        return `the bookmark ${event.revision} is ahead of ${due.object.revision}, which was not delivered`;
      reached = event.revision;
      continue;
    }
    const { revision } = event.object;
    if (revision <= reached && revision <= (expected[next - 1]?.object.revision ?? from))
      return `${describe(event)} again, or out of order, behind ${reached}`;
    if (due === undefined || revision < due.object.revision) return `${describe(event)} never happened`;
    if (revision > due.object.revision) return `${describe(due)} is missing before ${describe(event)}`;
    if (due.type !== event.type || !sameObject(due.object, event.object))
      return `${describe(event)} instead of ${describe(due)}`;
    if (event.at < (sentAt.get(revision) ?? 0)) return `${describe(event)} arrived before it was written`;
    reached = revision;
    next++;
  }
  return undefined;
}

const describe = ({ type, object }: Expected): string => `${type} ${object.key} ${object.revision}`;

/** To a watch with a selector an object that begins to match is new, and one that ceases to is gone. */
function expectedOf(change: Change, selector: WatchSegment["selector"]): Expected[] {
  const matches = (object: SeenObject | undefined): boolean =>
    object !== undefined && (selector === undefined || object.content[selector.member] === selector.value);
  const now = objectAfter(change);
  const [was, is] = [matches(change.previous), matches(now)];
  if (now && is) return [{ type: was ? "MODIFIED" : "ADDED", object: now }];
  // What it was last, at the revision at which it went.
  if (change.previous && was) return [{ type: "DELETED", object: { ...change.previous, revision: change.revision } }];
  return [];
}
