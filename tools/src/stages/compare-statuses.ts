/** A list of objects as kubectl prints it. */
export interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status?: Readonly<Record<string, unknown>>;
  }[];
}

export interface StatusRow {
  readonly name: string;
  readonly phase: string | undefined;
  readonly differences: readonly string[];
}

/** Pods of a Job have names by chance. */
const nameOf = (name: string): string => (name.startsWith("job-") ? "job" : name);

/** Compares the statuses of pods of the same names, member by member: times, addresses of pods and the order of conditions aside. */
export function compareStatuses(ours: Listed, theirs: Listed): StatusRow[] {
  const byName = ({ items }: Listed) =>
    new Map(items.map(({ metadata, status = {} }) => [nameOf(metadata.name), withoutChance(status)]));
  const [left, right] = [byName(ours), byName(theirs)];
  return [...new Set([...left.keys(), ...right.keys()])].sort().map((name) => {
    const [a, b] = [left.get(name), right.get(name)];
    const members = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
    const differences = [...members].flatMap((member) => {
      const [x, y] = [JSON.stringify(a?.[member]), JSON.stringify(b?.[member])];
      return x === y ? [] : [`${member}: ours ${x}, KWOK ${y}`];
    });
    if (!a || !b) differences.unshift(a ? "KWOK has no such pod" : "ours has no such pod");
    return { name, phase: b?.["phase"] as string | undefined, differences };
  });
}

function withoutChance(status: object): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(status, (key, value: unknown) => {
      if (typeof value === "string")
        return /^\d{4}-\d\d-\d\dT/.test(value) ? "time" : value.startsWith("10.") ? "address" : value;
      if (Array.isArray(value) && key === "conditions")
        return (value as { type: string }[]).toSorted((a, b) => (a.type < b.type ? -1 : 1));
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    }),
  ) as Record<string, unknown>;
}

export interface NodeObject {
  readonly metadata: { readonly name: string; readonly labels?: unknown; readonly annotations?: unknown };
  readonly status: Readonly<Record<string, unknown>>;
}

/** The node as somebody creates it for KWOK, with the capacity and the addresses that ours has. */
export function plainNode({ metadata: { name, labels, annotations }, status }: NodeObject): object {
  const { capacity, allocatable, addresses, nodeInfo } = status;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels, annotations },
    status: { capacity, allocatable, addresses, nodeInfo },
  };
}
