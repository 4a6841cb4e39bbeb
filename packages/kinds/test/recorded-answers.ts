import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { AnyKind } from "../src/index.js";
import type { Mutation } from "./mutations.js";
import type { NamedQuestion } from "./questions.js";
import type { Answer } from "./upstream.js";

/** Upstream's answer to the question of that name (`questions.ts` makes the same questions from the same examples). */
export interface RecordedAnswer {
  readonly name: string;
  readonly answer: Answer;
}

const folder = fileURLToPath(new URL("answers/", import.meta.url));
const fileOf = ({ group, resource }: AnyKind): string => `${folder}${resource}${group === "" ? "" : `.${group}`}.json`;

export function readAnswers(kind: AnyKind): RecordedAnswer[] {
  const file = fileOf(kind);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as RecordedAnswer[]) : [];
}

/** One row per line, so that a change of upstream shows as a short difference. */
export function writeAnswers(kind: AnyKind, rows: readonly RecordedAnswer[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(kind), `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
}

/**
 * The answers worth keeping: what becomes of each example, and of the changed ones those with a message that no other row has,
 * in the shortest rows that have it.
 */
export function chooseAnswers(questions: readonly NamedQuestion[], answers: readonly Answer[]): RecordedAnswer[] {
  const chosen = rowsWithNewMessages(questions, answers);
  const seen = new Set<string>();
  const cells = new Map<number, readonly unknown[] | undefined>();
  return questions.flatMap(({ name, question, base, mutation }, at) => {
    const answer = answers[at] ?? {};
    if (answer.failure !== undefined) return [];
    if (question.op === "print") {
      if (!mutation) cells.set(base, answer.cells);
      const changed = answer.cells?.map((cell, i) => (cell === cells.get(base)?.[i] ? "" : "new")).join();
      return keepFirst(seen, `print ${base} ${mutation ? changed : name}`)
        ? [
            {
              name,
              answer: mutation
                ? {
                    cells: answer.cells ?? [],
                    ...(answer.conditions !== undefined && { conditions: answer.conditions }),
                  }
                : answer,
            },
          ]
        : [];
    }
    if ((mutation || base < 0) && messagesOf(answer).length > 0 && !chosen.has(at)) return [];
    if (mutation && messagesOf(answer).length === 0) return [];
    const { errors, warnings, prepared } = answer;
    const dated = JSON.stringify(question).includes('"@-');
    const isTelling =
      !mutation &&
      !dated &&
      !errors &&
      (base >= 0 || !isDeepStrictEqual(withoutGeneration(prepared), withoutGeneration(answer.defaulted)));
    return [
      { name, answer: { ...(errors && { errors }), ...(warnings && { warnings }), ...(isTelling && { prepared }) } },
    ];
  });
}

const messagesOf = ({ errors = [], warnings = [] }: Answer): string[] => [...errors, ...warnings];

/** A set of rows with every message at least once: short ones are taken first, and dropped again where others have the same. */
function rowsWithNewMessages(questions: readonly NamedQuestion[], answers: readonly Answer[]): Set<number> {
  const lengths = answers.map((answer) => JSON.stringify(answer).length);
  const asked = [...questions.keys()].filter(
    (at) => answers[at]?.failure === undefined && !isGeneral(questions[at]?.mutation),
  );
  const shortFirst = asked.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  const seen = new Set<string>();
  const texts = new Map(shortFirst.map((at) => [at, [...new Set(messagesOf(answers[at] ?? {}).map(general))]]));
  const chosen = shortFirst.filter((at) => (texts.get(at) ?? []).filter((text) => keepFirst(seen, text)).length > 0);
  const count = new Map<string, number>();
  for (const at of chosen) for (const text of texts.get(at) ?? []) count.set(text, (count.get(text) ?? 0) + 1);
  return new Set(
    chosen.filter((at) => {
      const own = texts.get(at) ?? [];
      if (own.some((text) => count.get(text) === 1)) return true;
      for (const text of own) count.set(text, (count.get(text) ?? 0) - 1);
      return false;
    }),
  );
}

function withoutGeneration(object: unknown): unknown {
  const { metadata, ...rest } = (object ?? {}) as { metadata?: Record<string, unknown> };
  return { ...rest, metadata: { ...metadata, generation: 0 } };
}

/** Metadata is much the same for all kinds; its name stands for the rest. */
const isGeneral = (mutation: Mutation | undefined): boolean =>
  mutation?.path[0] === "metadata" && mutation.path[1] !== "name";

/** The first line, without the value it names, without indices, and however deep in a schema. */
const general = (text: string): string =>
  (text.split("\n", 1)[0] ?? "")
    .replace(/value: .*?: /, "value: ")
    .replaceAll(/\[[^\]]*\]/g, "[]")
    .replaceAll(nestedSchema, "")
    .replace(/^spec\.(?:versions\[\]\.schema|validation)\./, "");

const nestedSchema =
  /\.(?:properties|patternProperties|additionalProperties|additionalItems|items|allOf|anyOf|oneOf|not|definitions)(?:\[\])?(?=\.)/g;

function keepFirst(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
