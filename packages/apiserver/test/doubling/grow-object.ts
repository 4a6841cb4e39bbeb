/** A member of an object that can be made longer: a list, a map or a text. */
export interface Growth {
  /** For people: `spec.containers, each with a name of its own`. */
  readonly name: string;
  readonly of: "list" | "map" | "text";
  /** The object with so many elements or characters there. */
  readonly grow: (n: number) => unknown;
}

type Path = readonly (string | number)[];

/** Members of which an element is known by its name: they are made different from each other. */
const names = new Set([
  "name",
  "key",
  "path",
  "mountPath",
  "devicePath",
  "ip",
  "type",
  "topologyKey",
  "uid",
  "host",
  "containerPort",
  "port",
]);

/** Characters that readers look for, or skip. */
const fillers = ["a", "/", " ", ".", "-", "0", "\n", "é"];

/** Every list, map and text of an object, in each of the ways that it may grow. Of the elements of a list the first stands for all. */
export function growthsOf(object: unknown): Growth[] {
  const found: Growth[] = [];
  visit(object, [], (path, value) => {
    const name = path.filter((part) => part !== 0).join(".");
    const at = (grown: unknown): unknown => replaced(object, path, grown);
    if (Array.isArray(value) && value.length > 0) {
      found.push({
        of: "list",
        name: `${name}, elements with names of their own`,
        grow: (n) => at(list(value[0], n, true)),
      });
      found.push({ of: "list", name: `${name}, equal elements`, grow: (n) => at(list(value[0], n, false)) });
    } else if (isMap(value)) {
      const [sample] = Object.values(value);
      found.push({ of: "map", name: `${name}, members`, grow: (n) => at({ ...value, ...members(sample, n) }) });
    } else if (typeof value === "string") {
      for (const filler of fillers)
        found.push({
          of: "text",
          name: `${name}, ${JSON.stringify(filler)}`,
          grow: (n) => at(`${value}${filler.repeat(n)}${value}`),
        });
    }
  });
  return found;
}

function visit(value: unknown, path: Path, found: (path: Path, value: unknown) => void): void {
  if (path.length > 0) found(path, value);
  if (Array.isArray(value)) {
    if (value.length > 0) visit(value[0], [...path, 0], found);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value))
      if (path.length > 0 || !["apiVersion", "kind"].includes(key)) visit(member, [...path, key], found);
  }
}

/** All members are texts: names of the user's own choice, not of the type's. Most maps of the API are such. */
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((member) => typeof member === "string") &&
  Object.keys(value).length > 0;

function replaced(value: unknown, path: Path, grown: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return grown;
  if (Array.isArray(value))
    return value.map((item, at) => (at === first ? replaced(item, rest, grown) : (item as unknown)));
  return { ...(value as object), [first]: replaced((value as Record<string, unknown>)[first], rest, grown) };
}

const list = (sample: unknown, n: number, distinct: boolean): unknown[] =>
  Array.from({ length: n }, (_, at) => (distinct ? numbered(sample, at) : sample));

const members = (sample: unknown, n: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, sample]));

/** The sample with what it is known by made different. */
function numbered(sample: unknown, at: number): unknown {
  if (typeof sample === "string") return `${sample}${at}`;
  if (typeof sample !== "object" || sample === null || Array.isArray(sample)) return sample;
  return Object.fromEntries(
    Object.entries(sample).map(([key, value]) => [
      key,
      !names.has(key)
        ? (value as unknown)
        : typeof value === "string"
          ? `${value}${at}`
          : typeof value === "number"
            ? value + at
            : (value as unknown),
    ]),
  );
}
