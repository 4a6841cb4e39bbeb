import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { type CachedDeployment, maxSurge, replicasOf } from "./deployment-strategy.js";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
const historyAnnotation = "deployment.kubernetes.io/revision-history";
const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
const maxAnnotation = "deployment.kubernetes.io/max-replicas";
export const rollbackAnnotation = "deprecated.deployment.rollback.to";
/** Of the list of former revisions; older ones are dropped. */
const longestHistory = 2000;

type Annotations = Readonly<Record<string, string>>;
interface Annotated {
  readonly metadata?: { readonly annotations?: Annotations };
}

/** Kept by the Deployment or by its ReplicaSets alone: not copied between them. */
const own: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);

/** Revisions are int64s, and some are beyond what a number holds: a user may write any. Undefined: it is none. */
function parseInteger(text: string): bigint | undefined {
  const digits = /^([-+]?)(\d{1,19})$/.exec(text);
  if (!digits) return undefined;
  const value = BigInt(digits[2] ?? "") * (digits[1] === "-" ? -1n : 1n);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

/** 0 where there is none; undefined where it cannot be read. */
export function revisionOf({ metadata }: Annotated): bigint | undefined {
  const text = getOwn(metadata?.annotations, revisionAnnotation);
  return text === undefined ? 0n : parseInteger(text);
}

/** Newest first; unreadable ones count as 0. */
const revisionsOf = (objects: readonly Annotated[]): bigint[] =>
  objects.map((object) => revisionOf(object) ?? 0n).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));

const atLeastZero = (revision = 0n): bigint => (revision < 0n ? 0n : revision);

export const maxRevision = (objects: readonly Annotated[]): bigint => atLeastZero(revisionsOf(objects)[0]);

/** The revision before the newest one; 0: there is none. */
export const lastRevision = (objects: readonly Annotated[]): bigint => atLeastZero(revisionsOf(objects)[1]);

/** The revision to roll back to, 0 for the last one; undefined: no rollback is asked for. */
export function rollbackTarget({ metadata }: Annotated): bigint | undefined {
  return parseInteger(getOwn(metadata?.annotations, rollbackAnnotation) ?? "");
}

/** The Deployment's size when the ReplicaSet was scaled, by the annotation; undefined: none that can be parsed. */
export const desiredAtScale = (replicaSet: Annotated): number | undefined => readCount(replicaSet, desiredAnnotation);
export const maxAtScale = (replicaSet: Annotated): number | undefined => readCount(replicaSet, maxAnnotation);

function readCount({ metadata }: Annotated, annotation: string): number | undefined {
  const text = getOwn(metadata?.annotations, annotation) ?? "";
  const count = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  return count !== undefined && count < 2 ** 31 ? count : undefined;
}

/** With the Deployment's size, so that a later scaling can be distinguished from a rollout. */
export const withSize = (
  annotations: Annotations | undefined,
  deployment: CachedDeployment,
): Record<string, string> => ({
  ...annotations,
  [desiredAnnotation]: String(replicasOf(deployment)),
  [maxAnnotation]: String(replicasOf(deployment) + maxSurge(deployment)),
});

/** The annotations of the new ReplicaSet: those of the Deployment, its revision, and revisions that it had before. */
export function withRevision(
  annotations: Annotations | undefined,
  deployment: CachedDeployment,
  revision: bigint,
): Record<string, string> {
  const next: Record<string, string> = { ...annotations };
  for (const [key, value] of ownEntries(deployment.metadata?.annotations)) if (!own.has(key)) setOwn(next, key, value);
  const before = getOwn(annotations, revisionAnnotation);
  const old = parseInteger(before ?? "") ?? 0n;
  const isUnreadable = before !== undefined && before !== "" && parseInteger(before) === undefined;
  if (isUnreadable || old >= revision) return next;
  next[revisionAnnotation] = String(revision);
  if (before !== undefined) {
    const history = getOwn(annotations, historyAnnotation) ?? "";
    next[historyAnnotation] = history === "" ? before : appendRevision(history, before);
  }
  return next;
}

function appendRevision(history: string, revision: string): string {
  const revisions = [...history.split(","), revision];
  while (revisions.length > 1 && revisions.join(",").length > longestHistory) revisions.shift();
  return revisions.join(",");
}

/** The annotations of a Deployment that goes back to a ReplicaSet's template: its own, and those that were copied then. */
export function rolledBackAnnotations(deployment: Annotated, replicaSet: Annotated): Record<string, string> {
  const next: Record<string, string> = {};
  for (const [key, value] of ownEntries(deployment.metadata?.annotations)) if (own.has(key)) setOwn(next, key, value);
  for (const [key, value] of ownEntries(replicaSet.metadata?.annotations)) if (!own.has(key)) setOwn(next, key, value);
  return next;
}
