import type { Json, JsonObject, RecordedAnswer } from "../record/index.js";
import type { OracleCase } from "./case.js";

/** What is kept of an answer: of a refusal its words, of few others the whole body. */
export interface CompactAnswer {
  readonly sentence: string;
  readonly status: number;
  readonly message?: string;
  readonly warning?: string;
  readonly body?: Json;
}

/** Longer messages are left out: they repeat many rules at once, each of which appears elsewhere. */
const longest = 900;

/** Of the first object all messages of its create; of the others, and of changed ones, each rule once. */
export function chooseCompact(
  cases: readonly OracleCase[],
  answers: ReadonlyMap<string, RecordedAnswer>,
): CompactAnswer[] {
  const seen = new Set<string>();
  return cases.flatMap((asked) => {
    const answer = answers.get(asked.sentence);
    if (!answer) return [];
    // Where it is played again nobody shows a certificate.
    const whole =
      !JSON.stringify(answer.body ?? null).includes("<fingerprint>") &&
      asked.base === 0 &&
      asked.change === undefined &&
      (asked.sentence === "0: create" || asked.sentence === "0: get as a table");
    const kept = compactOf(answer, whole);
    const rules = rulesOf(answer, kept);
    if (!whole && (kept.message?.length ?? 0) > longest) return [];
    const isNew = rules.filter((rule) => !seen.has(rule)).length > 0;
    for (const rule of rules) seen.add(rule);
    return whole || isNew ? [kept] : [];
  });
}

/** Of a story: each rule once, and the whole of what is read. */
export function chooseOfStory(answers: ReadonlyMap<string, RecordedAnswer>): CompactAnswer[] {
  const seen = new Set<string>();
  return [...answers.values()].flatMap((answer) => {
    const rules = rulesOf(answer, compactOf(answer, false));
    const isNew = rules.some((rule) => !seen.has(rule));
    for (const rule of rules) seen.add(rule);
    const isRead = answer.status < 300 && readInStory.test(answer.step);
    return isNew || isRead ? [compactOf(answer, isRead || rules.length > 1)] : [];
  });
}

const readInStory =
  /^(?:storm (?:11|23): read|read (?:full|bare)|list in v1|get in v1alpha1|patch scale of bare 7|.*: create 1)$/;

export function compactOf({ step, status, headers, body }: RecordedAnswer, whole: boolean): CompactAnswer {
  const message = status >= 300 ? (body as JsonObject | undefined)?.["message"] : undefined;
  const warning = headers?.["warning"];
  return {
    sentence: step,
    status,
    ...(typeof message === "string" && { message }),
    ...(warning !== undefined && { warning: typeof warning === "string" ? warning : warning.join(", ") }),
    ...(whole && body !== undefined && { body }),
  };
}

/** A rule is a message, whatever the value and the index in it. Metadata has the same rules everywhere. */
function rulesOf({ body }: RecordedAnswer, { status, message, warning }: CompactAnswer): string[] {
  const details = (body as JsonObject | undefined)?.["details"] as JsonObject | undefined;
  const causes = ((details?.["causes"] ?? []) as readonly JsonObject[])
    .map(({ field, message: text }) => `${String(field)}: ${String(text)}`)
    .filter((text) => !text.startsWith("metadata.") || text.startsWith("metadata.name"));
  const messages = status === 422 ? causes : message === undefined ? [] : [message];
  return [...messages, ...(warning === undefined ? [] : [warning])].map(general);
}

/** Decoders have the same message for every member, so only the kind of mistake counts there. */
function general(text: string): string {
  const decoding =
    /cannot be handled as|strict decoding error|unknown field|duplicate field|cannot unmarshal|patch: Invalid value/.exec(
      text,
    );
  if (decoding) return decoding[0];
  return (text.split("\n", 1)[0] ?? "")
    .replaceAll(/\[[^\]]*\]/g, "[]")
    .replaceAll(/"[^"]*"/g, '""')
    .replace(/value: .*?: /, "value: ")
    .replaceAll(/\d+/g, "0");
}
