import { equalJson } from "@coxswain/apimachinery/json";

// As kube-openapi's aggregator merges documents of several servers into one.

type Members = Readonly<Record<string, unknown>>;

/** The parts of an OpenAPI 2 document that are merged. */
export interface MergeableDocument {
  readonly paths: Members;
  readonly definitions: Members;
  readonly parameters: Members;
}

const definitionPrefix = "#/definitions/";
const parameterPrefix = "#/parameters/";
const gvkMember = "x-kubernetes-group-version-kind";

/** The part of a document for the paths that `keeps`: definitions that only other paths used go with them. */
export function filterByPaths<T extends MergeableDocument>(document: T, keeps: (path: string) => boolean): T {
  const before = usedDefinitions(document);
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => keeps(path)));
  const used = usedDefinitions({ ...document, paths });
  const definitions = Object.fromEntries(
    Object.entries(document.definitions).filter(([name]) => used.has(name) || !before.has(name)),
  );
  return { ...document, paths, definitions };
}

/** The first document with what `source` adds. Paths of the first count; a definition of the same name and another content is renamed. */
export function mergeDocuments<T extends MergeableDocument>(target: T, source: MergeableDocument): T {
  const isTaken = (path: string): boolean => Object.hasOwn(target.paths, path);
  const all = Object.keys(source.paths);
  if (all.every(isTaken)) return target;
  let added = all.some(isTaken) ? filterByPaths(source, (path) => !isTaken(path)) : source;
  added = renamed(
    added,
    "definitions",
    definitionPrefix,
    renamesOf(target.definitions, added.definitions, isSameModel),
  );
  added = renamed(added, "parameters", parameterPrefix, renamesOf(target.parameters, added.parameters, equalJson));
  const definitions = new Map(Object.entries(target.definitions));
  for (const [name, schema] of Object.entries(added.definitions))
    definitions.set(name, definitions.has(name) ? withKindsOf(definitions.get(name), schema) : schema);
  return {
    ...target,
    paths: sorted(Object.entries({ ...added.paths, ...target.paths })),
    definitions: sorted(definitions),
    parameters: sorted(Object.entries({ ...added.parameters, ...target.parameters })),
  };
}

/** New names for what both have and mean differently: `_v2`, `_v3`, the first that is free or means the same. */
function renamesOf(
  target: Members,
  source: Members,
  isSame: (a: unknown, b: unknown) => boolean,
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const given = new Set<string>();
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(target, name) || isSame(target[name], value)) continue;
    for (let number = 2; ; number++) {
      const next = `${name}_v${number}`;
      const isThere = Object.hasOwn(target, next);
      if (isThere ? !isSame(target[next], value) : given.has(next) || Object.hasOwn(source, next)) continue;
      renames.set(name, next);
      given.add(next);
      break;
    }
  }
  return renames;
}

function renamed(
  document: MergeableDocument,
  member: "definitions" | "parameters",
  prefix: string,
  renames: ReadonlyMap<string, string>,
): MergeableDocument {
  if (renames.size === 0) return document;
  const replace = (ref: string): string => {
    const next = ref.startsWith(prefix) ? renames.get(ref.slice(prefix.length)) : undefined;
    return next === undefined ? ref : prefix + next;
  };
  const referring = mapReferences(document, replace) as MergeableDocument;
  const entries = Object.entries(referring[member]).map(([name, value]) => [renames.get(name) ?? name, value]);
  return { ...referring, [member]: Object.fromEntries(entries) };
}

/** Every `$ref` of a JSON value replaced; parts without one are shared. */
export function mapReferences(value: unknown, replace: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapReferences(each, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string" ? replace(member) : mapReferences(member, replace),
    ]),
  );
}

/** The names of definitions that paths and parameters refer to, directly or through others. */
function usedDefinitions({ paths, parameters, definitions }: MergeableDocument): ReadonlySet<string> {
  const used = new Set<string>();
  const waiting: unknown[] = [paths, parameters];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (name !== "$ref" || typeof member !== "string") {
        waiting.push(member);
        continue;
      }
      const definition = member.startsWith(definitionPrefix) ? member.slice(definitionPrefix.length) : undefined;
      if (definition === undefined || used.has(definition)) continue;
      used.add(definition);
      if (Object.hasOwn(definitions, definition)) waiting.push(definitions[definition]);
    }
  }
  return used;
}

/** Whether two models differ in nothing but the kinds that use them. */
const isSameModel = (a: unknown, b: unknown): boolean => equalJson(withoutKinds(a), withoutKinds(b));

function withoutKinds(schema: unknown): unknown {
  const { [gvkMember]: _kinds, ...rest } = schema as Members;
  return rest;
}

function withKindsOf(schema: unknown, other: unknown): unknown {
  const [known, more] = [kindsOf(schema), kindsOf(other)];
  const added = more.filter((kind) => !known.some((each) => equalJson(each, kind)));
  if (added.length === 0) return schema;
  const all = [...known, ...added].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return { ...(schema as Members), [gvkMember]: all };
}

const kindsOf = (schema: unknown): readonly Members[] =>
  ((schema as Members)[gvkMember] as Members[] | undefined) ?? [];

const sortKey = ({ group, version, kind }: Members): string => `${String(group)}/${String(version)}.${String(kind)}`;

const sorted = <T>(members: Iterable<[string, T]>): Record<string, T> =>
  Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
