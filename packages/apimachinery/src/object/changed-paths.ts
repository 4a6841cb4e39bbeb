import { isJsonObject } from "../json/json-object.js";

/** One member that differs. `before` or `after` is undefined where it was not there. */
export interface ChangedPath {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const most = 60;
/** Changes with every write. */
const dull = new Set(["metadata.resourceVersion", "metadata.managedFields"]);

/**
 * Pure: what differs between two JSON values, member by member. Items of lists are compared by their type or name where they
 * have one (conditions, containers), else by their place. At most 60 paths.
 */
export function changedPaths(before: unknown, after: unknown): ChangedPath[] {
  const found: ChangedPath[] = [];
  walk(before, after, "", found);
  return found.slice(0, most);
}

function walk(before: unknown, after: unknown, path: string, found: ChangedPath[]): void {
  if (Object.is(before, after) || dull.has(path) || found.length >= most) return;
  if (isJsonObject(before) && isJsonObject(after)) walkMembers(before, after, path, found);
  else if (Array.isArray(before) && Array.isArray(after)) walkItems(itemsOf(before), itemsOf(after), path, found);
  else found.push({ path, before, after });
}

/** Most members are equal: nothing is made for them. */
function walkMembers(before: JsonMap, after: JsonMap, path: string, found: ChangedPath[]): void {
  const below = path === "" ? "" : `${path}.`;
  for (const name of Object.keys(before)) {
    const [old, now] = [before[name], Object.hasOwn(after, name) ? after[name] : undefined];
    if (!Object.is(old, now)) walk(old, now, below + name, found);
  }
  for (const name of Object.keys(after))
    if (!Object.hasOwn(before, name)) walk(undefined, after[name], below + name, found);
}

function walkItems(old: Items, now: Items, path: string, found: ChangedPath[]): void {
  for (const name of new Set([...old.keys(), ...now.keys()]))
    walk(old.get(name), now.get(name), `${path}[${name}]`, found);
}

type JsonMap = Readonly<Record<string, unknown>>;
type Items = ReadonlyMap<string, unknown>;

/** The items of a list by what names them. */
function itemsOf(list: readonly unknown[]): Items {
  for (const key of ["type", "name"]) {
    const names = list.map((item) => (item as Record<string, unknown> | null)?.[key]);
    if (names.length > 0 && names.every((name) => typeof name === "string") && new Set(names).size === names.length)
      return new Map(list.map((item, at) => [names[at] as string, item]));
  }
  return new Map(list.map((item, at) => [String(at), item]));
}
