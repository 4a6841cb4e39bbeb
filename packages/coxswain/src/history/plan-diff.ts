import { type ChangedPath, changedPaths } from "@coxswain/apimachinery/object";
import type { Change } from "./history-group.js";

/** The first and the last change of an object between two moments. */
export interface Touched {
  readonly first: Change;
  readonly last: Change;
}

/** Pure: changes by object. `changes`: newest first. An object that was made again under its name is one. */
export function touchedObjects(changes: readonly Change[]): Touched[] {
  const found = new Map<string, { first: Change; last: Change }>();
  for (const change of changes) {
    const { apiVersion, kind, namespace = "", name } = change.object;
    const key = `${apiVersion.split("/").slice(0, -1).join("/")} ${kind} ${namespace} ${name}`;
    const touched = found.get(key);
    if (touched) touched.first = change;
    else found.set(key, { first: change, last: change });
  }
  return [...found.values()];
}

export interface Difference {
  readonly object: Change["object"];
  readonly is: "changed" | "new" | "gone";
  readonly paths: readonly ChangedPath[];
}

/** Members that change whenever anything else does. */
const dull = /^metadata\.(generation|uid|creationTimestamp|resourceVersion|managedFields)\b/;

/** Pure: what an object is now, compared to what it was; undefined: nothing that counts. */
export function differenceOf(
  object: Change["object"],
  { before, after, withStatus }: { readonly before: unknown; readonly after: unknown; readonly withStatus: boolean },
): Difference | undefined {
  if (before === undefined && after === undefined) return undefined;
  if (before === undefined) return { object, is: "new", paths: [] };
  if (after === undefined) return { object, is: "gone", paths: [] };
  const paths = changedPaths(before, after).filter(
    ({ path }) => !dull.test(path) && (withStatus || !/^status\b/.test(path)),
  );
  return paths.length === 0 ? undefined : { object, is: "changed", paths };
}
