import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";

/** One change to an object: the member at `path` becomes `value`, or goes when `value` is undefined. */
export interface Mutation {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

const long = "a".repeat(260);

/** Values that are likely to meet a rule. */
function oddValues(node: SchemaNode, path: string, skip: ReadonlySet<string>): unknown[] {
  const item = (): unknown => sample(element(node), 3, path, skip);
  switch (node.code) {
    case typeCodes.string:
      return [...(node.enumValues?.slice(0, 6) ?? []), "", "Bogus_1", "-x", "a/b", "good", "1.2.3.4", long];
    case typeCodes.bool:
      return [true, false];
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
      return [-1, 0, 1, 7, 70_000];
    case typeCodes.float64:
      return [-1, 0, 0.5];
    case typeCodes.quantity:
      return ["0", "-1", "1500m", "3Gi", "12345678"];
    case typeCodes.duration:
      return ["-1s", "0s", "10s"];
    case typeCodes.intOrString:
      return [-1, 0, 3, "50%", "150%", "x", "", "-5%"];
    case typeCodes.bytes:
      return ["", "eA==", "!!!!"];
    case typeCodes.time:
      return [null, "2026-01-01T00:00:00Z"];
    case typeCodes.microTime:
      return [null, "2026-01-01T00:00:00.000000Z"];
    case typeCodes.list:
      return [[item()], [item(), item()]];
    case typeCodes.map:
      return ["good", "bad key!", "", "example.com/x"].map((key) => ({ [key]: item() }));
    case typeCodes.struct:
      return [{}, sample(node, 3, path, skip)];
    default:
      return [];
  }
}

const element = (node: SchemaNode): SchemaNode => {
  if (!node.element) throw new Error("a list or map without an element");
  return node.element;
};

/** A value with every member that is not to be skipped, down to `depth`. */
function sample(node: SchemaNode, depth: number, path: string, skip: ReadonlySet<string>): unknown {
  switch (node.code) {
    case typeCodes.string:
      return node.enumValues?.[0] ?? "x";
    case typeCodes.bool:
      return true;
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
    case typeCodes.intOrString:
      return 5;
    case typeCodes.float64:
      return 0.5;
    case typeCodes.quantity:
      return "1";
    case typeCodes.duration:
      return "10s";
    case typeCodes.bytes:
      return "eA==";
    case typeCodes.time:
      return "2026-01-01T00:00:00Z";
    case typeCodes.microTime:
      return "2026-01-01T00:00:00.000000Z";
    case typeCodes.list:
      return depth === 0 ? [] : [sample(element(node), depth - 1, path, skip)];
    case typeCodes.wrappedStringList:
      return ["x"];
    case typeCodes.map:
      return depth === 0 ? {} : { k: sample(element(node), depth - 1, path, skip) };
    case typeCodes.struct:
      return depth === 0
        ? {}
        : Object.fromEntries(
            node.fields
              .filter(({ name }) => !isSkipped(skip, `${path}.${name}`))
              .map(({ name, type }) => [name, sample(type, depth - 1, `${path}.${name}`, skip)]),
          );
    default:
      return undefined;
  }
}

/**
 * Every single change worth a try, in the order of the object's type. `skip`: paths (without indices), or `*.name` for
 * a member anywhere, that are left alone.
 */
export function mutationsOf(object: unknown, node: SchemaNode, skip: readonly string[]): Mutation[] {
  const found: Mutation[] = [];
  visit(
    object,
    node,
    [],
    found,
    new Set([
      "kind",
      "apiVersion",
      "metadata.managedFields",
      "metadata.ownerReferences",
      "metadata.uid",
      "metadata.resourceVersion",
      "metadata.creationTimestamp",
      "metadata.generation",
      "metadata.selfLink",
      "metadata.deletionTimestamp",
      "metadata.deletionGracePeriodSeconds",
      ...skip,
    ]),
  );
  return found;
}

const isSkipped = (skip: ReadonlySet<string>, path: string): boolean =>
  skip.has(path) || skip.has(`*.${path.split(".").at(-1) ?? ""}`);

const plain = (path: readonly (string | number)[]): string => path.filter((part) => typeof part === "string").join(".");

function visit(
  value: unknown,
  node: SchemaNode,
  path: readonly (string | number)[],
  found: Mutation[],
  skip: ReadonlySet<string>,
): void {
  if (isSkipped(skip, plain(path))) return;
  // Metadata as a whole is the server's business.
  const whole = path.length > 0 && plain(path) !== "metadata";
  if (whole)
    for (const odd of oddValues(node, plain(path), skip))
      if (JSON.stringify(odd) !== JSON.stringify(value)) found.push({ path, value: odd });
  if (value === undefined || value === null || typeof value !== "object") return;
  if (whole) found.push({ path, value: undefined });
  if (node.code === typeCodes.struct) {
    const members = value as Record<string, unknown>;
    for (const field of node.fields) {
      const member = members[field.name];
      if (typeof member !== "object" && member !== undefined && !isSkipped(skip, plain([...path, field.name])))
        found.push({ path: [...path, field.name], value: undefined });
      visit(member, field.type, [...path, field.name], found, skip);
    }
  } else if (node.code === typeCodes.list && Array.isArray(value)) {
    if (value.length > 0) found.push({ path, value: [...value, value[0]] });
    for (const [at, item] of value.slice(0, 2).entries()) visit(item, element(node), [...path, at], found, skip);
  } else if (node.code === typeCodes.map) {
    for (const [key, item] of Object.entries(value).slice(0, 3))
      visit(item, element(node), [...path, key], found, skip);
  }
}

export function applyMutation(object: unknown, { path, value }: Mutation): unknown {
  const copy = structuredClone(object) as Record<string | number, unknown>;
  let at = copy;
  for (const part of path.slice(0, -1)) at = at[part] as Record<string | number, unknown>;
  const last = path.at(-1) ?? "";
  if (value !== undefined) at[last] = structuredClone(value);
  else if (Array.isArray(at)) at.splice(last as number, 1);
  else delete at[last];
  return copy;
}

export const mutationText = ({ path, value }: Mutation): string =>
  `${path.join(".")} ${value === undefined ? "gone" : `= ${JSON.stringify(value)?.slice(0, 60)}`}`;
