import { isJsonObject } from "@coxswain/apimachinery/json";
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

type Names = readonly [ours: string, upstream: string];

/** A difference for people: members of JSON lines that differ, where there is one line on each side. */
export function describeDifference({ key, ours, upstream }: Difference, names: Names = ["ours", "upstream's"]): string {
  if (!ours || !upstream) return `${key}: only with ${names[ours ? 0 : 1]}: ${(ours ?? upstream ?? []).join("\n")}`;
  if (ours.length === 1 && upstream.length === 1 && ours[0]?.startsWith("{") && upstream[0]?.startsWith("{"))
    return `${key}:\n${differingMembers(JSON.parse(ours[0]), JSON.parse(upstream[0]), { path: "", names }).join("\n")}`;
  const lines = (name: string, texts: readonly string[]): string =>
    texts.map((text) => `  ${name}: ${text}`).join("\n");
  return `${key}:\n${lines(names[0], ours)}\n${lines(names[1], upstream)}`;
}

function differingMembers(ours: unknown, upstream: unknown, at: { path: string; names: Names }): string[] {
  if (JSON.stringify(ours) === JSON.stringify(upstream)) return [];
  const { path, names } = at;
  if (isJsonObject(ours) && isJsonObject(upstream))
    return [...new Set([...Object.keys(ours), ...Object.keys(upstream)])].flatMap((name) =>
      differingMembers(ours[name], upstream[name], { path: `${path}.${name}`, names }),
    );
  return [`  ${path || "."}: ${names[0]} ${JSON.stringify(ours)}, ${names[1]} ${JSON.stringify(upstream)}`];
}
