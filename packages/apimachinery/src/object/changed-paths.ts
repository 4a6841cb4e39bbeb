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
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old && now && Array.isArray(before) === Array.isArray(after)) {
    const join = (name: string): string =>
      Array.isArray(before) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    for (const name of new Set([...old.keys(), ...now.keys()])) walk(old.get(name), now.get(name), join(name), found);
    return;
  }
  found.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
}

function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  for (const key of ["type", "name"]) {
    const names = value.map((item: unknown) => (item as Record<string, unknown> | null)?.[key]);
    if (names.length > 0 && names.every((name) => typeof name === "string") && new Set(names).size === names.length)
      return new Map(value.map((item: unknown, at) => [names[at] as string, item]));
  }
  return new Map(value.map((item: unknown, at) => [String(at), item]));
}
