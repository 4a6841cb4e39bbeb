import { isDeepStrictEqual } from "node:util";
import type { Examples } from "./examples.js";
import { ourAnswer } from "./our-answer.js";
import type { NamedQuestion } from "./questions.js";
import type { Answer } from "./upstream.js";

export interface Difference {
  readonly what: string;
  readonly text: string;
}

const parts = ["columns", "cells", "conditions", "defaulted", "errors", "warnings", "prepared"] as const;

/** What the clock shows in all questions but those of printing, for which upstream looks at its own. */
export const testTime = Date.parse("2026-04-01T12:00:00Z");

/** Where our answer is another than upstream's. `only`: the parts that are known of theirs. */
export function differencesOf(
  examples: Examples,
  { name, question }: NamedQuestion,
  theirs: Answer,
  only?: ReadonlySet<string>,
): Difference[] {
  if (theirs.failure !== undefined) return [];
  const now = question.op === "print" ? Date.now() : testTime;
  let ours: Answer;
  try {
    ours = ourAnswer(examples.kind, question, now);
  } catch (err) {
    return [{ what: "threw", text: `${name}: threw ${(err as Error).stack?.split("\n").slice(0, 4).join(" ")}` }];
  }
  const found: Difference[] = [];
  for (const what of parts) {
    if (only && !only.has(what)) continue;
    if (what === "prepared" && (theirs.errors || ours.errors)) continue;
    const part = (answer: Answer): unknown =>
      what === "errors"
        ? relevant(examples, answer.errors)
        : what === "defaulted"
          ? without(examples.setByClock, answer.defaulted)
          : answer[what];
    const [a, b] = [part(ours), part(theirs)];
    if (isDeepStrictEqual(plain(a), plain(b))) continue;
    found.push({ what, text: `${name}: ${what}\n    ours   ${show(a, b)}\n    theirs ${show(b, a)}` });
    if (what === "defaulted") break;
  }
  return found;
}

const without = (members: readonly string[], value: unknown): unknown =>
  members.length === 0 || value === undefined
    ? value
    : (JSON.parse(JSON.stringify(value), (member, one: unknown) =>
        members.includes(member) ? undefined : one,
      ) as unknown);

function relevant({ otherErrors, anyOrder }: Examples, errors: readonly string[] = []): readonly string[] {
  const texts = errors
    .filter((text) => !otherErrors.some((start) => text.replaceAll(/\[\d+\]/g, "[]").startsWith(start)))
    .map(withoutEmpties);
  const loose = (text: string): boolean => anyOrder.some((end) => text.endsWith(end));
  return [...texts.filter((text) => !loose(text)), ...texts.filter(loose).sort()];
}

/** Go does not distinguish no list from an empty one, and our objects do not. */
const withoutEmpties = (text: string): string => text.replaceAll(/(?<=[ :[,])(?:null|\[\]|\{\})(?=[:,}\]])/g, "none");

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(longAgo(atTestTime(JSON.stringify(value)))) as unknown);

/** An age of months is counted from a date that stands in the question: it was another when upstream was asked. */
const longAgo = (text: string): string => text.replaceAll(/"(?:\d{3,}d|\d+y(?:\d+d)?)"/g, '"long ago"');

/** Where upstream looked at its own clock, which is later than ours. */
const atTestTime = (text: string): string =>
  text.replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) =>
    Date.parse(time) > testTime ? `${new Date(testTime).toISOString().slice(0, 19)}Z` : time,
  );

/** Only the members in which `value` differs. */
function show(value: unknown, other: unknown): string {
  if (Array.isArray(value) && Array.isArray(other) && value.every((item) => typeof item === "string")) {
    const own = value.filter((item) => !other.includes(item)).map((item: string) => item.slice(0, 300));
    return own.length === 0 && value.length !== other.length
      ? `${value.length} items`
      : JSON.stringify(own.length === 0 ? value : own);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value)?.slice(0, 900) ?? "none";
  const members = Object.entries(value).flatMap(([key, member]) => {
    const beside = (other as Record<string, unknown> | undefined)?.[key];
    if (isDeepStrictEqual(plain(member), plain(beside))) return [];
    const isObject = typeof beside === "object" && beside !== null && !Array.isArray(beside);
    return [`${key}: ${isObject ? show(member, beside) : (JSON.stringify(member)?.slice(0, 400) ?? "none")}`];
  });
  return `{ ${members.join(", ")} }`;
}

/** "" when there are none. */
export function report(asked: number, differences: readonly Difference[], most: number): string {
  if (differences.length === 0) return "";
  const kinds = [...new Set(differences.map(({ what }) => what))].map(
    (what) => `${differences.filter((one) => one.what === what).length} ${what}`,
  );
  return [
    `${asked} questions; different: ${kinds.join(", ")}`,
    ...differences.slice(0, most).map(({ text }) => text),
  ].join("\n");
}
