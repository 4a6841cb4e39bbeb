import { type Difference, findDifferences, type Json, type JsonObject, type RecordedAnswer } from "../record/index.js";
import { withConditionsInOrder } from "./in-one-order.js";
import { type AcceptedDifference, ledger } from "./ledger.js";

export type Verdict =
  | { readonly is: "equal" }
  | { readonly is: "accepted"; readonly entries: readonly AcceptedDifference[] }
  | { readonly is: "different"; readonly differences: readonly Difference[] };

/** Holds our answer to a case against upstream's. */
export function compareAnswers(
  kind: string,
  sentence: string,
  want: RecordedAnswer | undefined,
  got: RecordedAnswer | undefined,
  accepted: readonly AcceptedDifference[] = ledger,
): Verdict {
  const differences = differencesOf(sentence, inOrder(want), inOrder(got));
  if (differences.length === 0) return { is: "equal" };
  const entries = differences.map((difference) => accepted.find((entry) => covers(entry, kind, sentence, difference)));
  const open = differences.filter((_, at) => entries[at] === undefined);
  return open.length === 0
    ? { is: "accepted", entries: entries.filter((entry) => entry !== undefined) }
    : { is: "different", differences: open };
}

const inOrder = (answer: RecordedAnswer | undefined): RecordedAnswer | undefined =>
  answer?.body === undefined ? answer : { ...answer, body: withConditionsInOrder(answer.body) as Json };

/** Where one server refuses and the other does not, the two bodies have nothing in common that is worth a comparison. */
function differencesOf(step: string, want: RecordedAnswer | undefined, got: RecordedAnswer | undefined): Difference[] {
  if (want?.status === got?.status) {
    const found = findDifferences(want === undefined ? [] : [want], got === undefined ? [] : [got]);
    const differing = found.length === 0 ? [] : causesApart(step, want, got);
    return differing.length === 0
      ? found
      : [...found.filter(({ path }) => !/^body\.(message|details\.causes)/.test(path)), ...differing];
  }
  return [{ step, path: "status", want: inShort(want), got: inShort(got) }];
}

/** A message repeats its causes; what stands on one side only is shorter, and stays where it is when another is missing. */
function causesApart(step: string, want: RecordedAnswer | undefined, got: RecordedAnswer | undefined): Difference[] {
  const [a, b] = [causeTexts(want), causeTexts(got)];
  const [missing, extra] = [a.filter((text) => !b.includes(text)), b.filter((text) => !a.includes(text))];
  if (missing.length === 0 && extra.length === 0) return [];
  return [{ step, path: "body.details.causes", want: missing, got: extra }];
}

function causeTexts(answer: RecordedAnswer | undefined): string[] {
  const details = (answer?.body as JsonObject | undefined)?.["details"] as JsonObject | undefined;
  const causes = (details?.["causes"] ?? []) as readonly JsonObject[];
  return causes.map(({ field, reason, message }) => `${String(field)}: ${String(message)} (${String(reason)})`);
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
  (entry.got?.test(JSON.stringify(got) ?? "") ?? true) &&
  (entry.alike?.(JSON.stringify(want) ?? "", JSON.stringify(got) ?? "") ?? true);

/** `pods: 0: create, spec.x is 1: body.message: want "a", got "b"`; of long texts the part where they part. */
export function verdictText(kind: string, { step, path, want, got }: Difference): string {
  const [a, b] = [JSON.stringify(want) ?? "nothing", JSON.stringify(got) ?? "nothing"];
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  const from = a.length < 200 && b.length < 200 ? 0 : Math.max(0, same - 60);
  const cut = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + 240)}${text.length > from + 240 ? "…" : ""}`;
  return `${kind}: ${step}: ${path}: want ${cut(a)}, got ${cut(b)}`;
}

/** Differences that look alike have the same cause, as a rule: names, numbers and indices do not count. */
export function causeOf({ path, want, got }: Difference): string {
  const general = (text: string): string =>
    text
      .replaceAll(/\d+/g, "#")
      .replaceAll(/\\?"[^"]*"/g, '"…"')
      .replaceAll(/\[[^\]]*\]/g, "[]");
  const show = (value: Json | undefined): string =>
    general(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 120);
  return `${general(path)}: want ${show(want)}, got ${show(got)}`;
}
