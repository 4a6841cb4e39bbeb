import type { Snapshot } from "./snapshot.js";

export interface Difference {
  readonly key: string;
  /** Lines of the two texts that the other has not; undefined: the whole thing is missing there. */
  readonly ours: readonly string[] | undefined;
  readonly upstream: readonly string[] | undefined;
}

/** Pure: what differs between two ends. */
export function compareSnapshots(ours: Snapshot, upstream: Snapshot): Difference[] {
  const differences: Difference[] = [];
  for (const key of [...new Set([...ours.keys(), ...upstream.keys()])].sort()) {
    const [a, b] = [ours.get(key), upstream.get(key)];
    if (a === b) continue;
    differences.push({ key, ours: a === undefined ? a : onlyIn(a, b), upstream: b === undefined ? b : onlyIn(b, a) });
  }
  return differences;
}

/** Lines of one that the other lacks, each as often as it lacks it. */
function onlyIn(text: string, other: string | undefined): string[] {
  const counts = new Map<string, number>();
  for (const line of other?.split("\n") ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
  return text.split("\n").filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

/** A difference for people: members of JSON lines that differ, where there is one line on each side. */
export function describeDifference({ key, ours, upstream }: Difference): string {
  if (!ours || !upstream)
    return `${key}: only with ${ours ? "ours" : "upstream's"}: ${(ours ?? upstream ?? []).join("\n")}`;
  if (ours.length === 1 && upstream.length === 1 && ours[0]?.startsWith("{") && upstream[0]?.startsWith("{"))
    return `${key}:\n${differingMembers(JSON.parse(ours[0]), JSON.parse(upstream[0]), "").join("\n")}`;
  return `${key}:\n  ours:     ${ours.join("\n            ")}\n  upstream: ${upstream.join("\n            ")}`;
}

function differingMembers(ours: unknown, upstream: unknown, path: string): string[] {
  if (JSON.stringify(ours) === JSON.stringify(upstream)) return [];
  if (isObject(ours) && isObject(upstream))
    return [...new Set([...Object.keys(ours), ...Object.keys(upstream)])].flatMap((name) =>
      differingMembers(ours[name], upstream[name], `${path}.${name}`),
    );
  return [`  ${path || "."}: ours ${JSON.stringify(ours)}, upstream's ${JSON.stringify(upstream)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
