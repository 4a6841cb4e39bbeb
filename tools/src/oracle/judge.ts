import { type Difference, findDifferences, formatDifference, type Json, type JsonObject, type RecordedAnswer } from "../record/index.js";
import { type AcceptedDifference, ledger } from "./ledger.js";

export type Verdict = { readonly is: "equal" } | { readonly is: "accepted"; readonly entries: readonly AcceptedDifference[] } | { readonly is: "different"; readonly differences: readonly Difference[] };

/** Holds our answer to a case against upstream's. */
export function judge(kind: string, sentence: string, want: RecordedAnswer | undefined, got: RecordedAnswer | undefined, accepted: readonly AcceptedDifference[] = ledger): Verdict {
  const differences = differencesOf(sentence, want, got);
  if (differences.length === 0) return { is: "equal" };
  const entries = differences.map((difference) => accepted.find((entry) => covers(entry, kind, sentence, difference)));
  const open = differences.filter((_, at) => entries[at] === undefined);
  return open.length === 0 ? { is: "accepted", entries: entries.filter((entry) => entry !== undefined) } : { is: "different", differences: open };
}

/** Where one server refuses and the other does not, the two bodies have nothing in common that is worth a comparison. */
function differencesOf(step: string, want: RecordedAnswer | undefined, got: RecordedAnswer | undefined): Difference[] {
  if (want?.status === got?.status) return findDifferences(want === undefined ? [] : [want], got === undefined ? [] : [got]);
  return [{ step, path: "status", want: inShort(want), got: inShort(got) }];
}

const inShort = (answer: RecordedAnswer | undefined): Json => {
  if (answer === undefined) return "not asked";
  const message = (answer.body as JsonObject | undefined)?.["message"];
  return answer.status >= 300 && typeof message === "string" ? `${answer.status} ${message}` : answer.status;
};

const covers = (entry: AcceptedDifference, kind: string, sentence: string, { path, want, got }: Difference): boolean =>
  (entry.kind?.test(kind) ?? true) &&
  (entry.sentence?.test(sentence) ?? true) &&
  entry.path.test(path) &&
  (entry.want?.test(JSON.stringify(want) ?? "") ?? true) &&
  (entry.got?.test(JSON.stringify(got) ?? "") ?? true);

/** `pods: 0: create, spec.x is 1: body.message: want "a", got "b"` */
export const verdictText = (kind: string, difference: Difference): string => `${kind}: ${formatDifference(difference)}`;

/** Differences that look alike have the same cause, as a rule: names, numbers and indices do not count. */
export function causeOf({ path, want, got }: Difference): string {
  const general = (text: string): string => text.replaceAll(/\d+/g, "#").replaceAll(/\\?"[^"]*"/g, '"…"').replaceAll(/\[[^\]]*\]/g, "[]");
  const say = (value: Json | undefined): string => general(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 120);
  return `${general(path)}: want ${say(want)}, got ${say(got)}`;
}
