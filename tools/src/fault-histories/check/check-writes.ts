import { type Change, type CommittedLog, objectAfter } from "../history/committed-log.js";
import { type Content, isWrite, type Operation, type Write } from "../history/operation.js";
import { describeOperation, sameContent, sameObject } from "./describe.js";

/** Which change a write made: those of acknowledged writes, and of others what was found in the log. */
export type ChangesOfWrites = ReadonlyMap<Operation, Change>;

/**
 * Every acknowledged write is in the log once, as it was meant and with the revision it was answered with; no refused one is; and the log
 * has nothing that nobody wrote. A lost update shows here: a change that does not follow from what stood before it.
 */
export function checkWrites(
  operations: readonly Operation[],
  log: CommittedLog,
): { readonly problems: string[]; readonly changes: ChangesOfWrites } {
  const writes = operations.filter(isWrite);
  const problems: string[] = [];
  const changes = new Map<Operation, Change>();
  const byId = new Map(writes.map((write) => [write.id, write]));
  for (const change of log.changes.filter(({ value }) => value !== undefined)) {
    const write = byId.get(change.value?.content["write"] ?? "");
    const revision = `revision ${change.revision} of ${change.key}`;
    if (write === undefined || write.request.key !== change.key) problems.push(`${revision} was written by nobody`);
    else if (changes.has(write)) problems.push(`${revision}: ${describeOperation(write)} was done twice`);
    else {
      changes.set(write, change);
      problems.push(...problemsOfPut(write, change));
    }
  }
  problems.push(...matchDeletions(writes, log, changes));
  for (const write of writes) problems.push(...problemsOfOutcome(write, changes.get(write)));
  return { problems, changes };
}

function problemsOfPut({ request, id }: Write, { key, revision, previous, value }: Change): string[] {
  const problems: string[] = [];
  const where = `revision ${revision} of ${key}, by ${id}`;
  if (request.verb === "create" && previous) problems.push(`${where}: created, although it was there`);
  if ((request.verb === "replace" || request.verb === "merge") && !previous)
    problems.push(`${where}: changed, although it was not there`);
  if (request.verb === "replace" && request.expected !== undefined && previous?.revision !== request.expected)
    problems.push(`${where}: a lost update: it replaced ${previous?.revision}, and was made from ${request.expected}`);
  if (request.verb === "delete") return problems;
  const keeps = request.verb === "merge" || request.verb === "apply";
  const wanted: Content = { ...(keeps ? previous?.content : undefined), ...request.content };
  if (!sameContent(wanted, value?.content))
    problems.push(`${where}: a lost update: ${JSON.stringify(value?.content)} instead of ${JSON.stringify(wanted)}`);
  return problems;
}

/** A deletion leaves no mark of its own: acknowledged ones are found by the uid that they removed, others take what is left. */
function matchDeletions(writes: readonly Write[], log: CommittedLog, matched: Map<Operation, Change>): string[] {
  const open = new Map(log.changes.filter(({ value }) => !value).map((change) => [change.previous?.uid ?? "", change]));
  const deletions = writes.filter(({ request }) => request.verb === "delete");
  const problems: string[] = [];
  for (const write of deletions) {
    if (write.outcome.kind !== "done") continue;
    const change = open.get(write.outcome.deletedUid ?? "");
    if (change === undefined || change.key !== write.request.key) continue; // missing: reported with its outcome
    open.delete(write.outcome.deletedUid ?? "");
    matched.set(write, change);
    problems.push(...problemsOfDeletion(write, change));
  }
  for (const [uid, change] of open) {
    // Of those whose outcome nobody knows, the one that was sent first may have done it.
    const candidates = deletions.filter(
      (write) =>
        write.outcome.kind === "unknown" && !matched.has(write) && problemsOfDeletion(write, change).length === 0,
    );
    const [first] = candidates.sort((one, other) => one.began - other.began);
    if (first === undefined) problems.push(`revision ${change.revision}: nobody deleted ${change.key} (${uid})`);
    else matched.set(first, change);
  }
  return problems;
}

function problemsOfDeletion({ id, request }: Write, { key, revision, previous }: Change): string[] {
  if (request.verb !== "delete" || request.key !== key) return [`${id} is no deletion of ${key}`];
  const { expected, uid } = request;
  const isExpected =
    (expected ?? previous?.revision) === previous?.revision && (uid ?? previous?.uid) === previous?.uid;
  return isExpected ? [] : [`revision ${revision} of ${key}, by ${id}: deleted ${previous?.revision}, not ${expected}`];
}

function problemsOfOutcome(write: Write, change: Change | undefined): string[] {
  const { outcome } = write;
  const name = describeOperation(write);
  switch (outcome.kind) {
    case "done":
      if (change === undefined) return [`${name} was acknowledged and is lost`];
      return !outcome.object || sameObject(outcome.object, objectAfter(change))
        ? []
        : [`${name} was answered with revision ${outcome.object.revision}, but is ${change.revision}`];
    case "unknown":
      return [];
    default:
      return change ? [`${name} was refused (${outcome.kind}), but is revision ${change.revision}`] : [];
  }
}
