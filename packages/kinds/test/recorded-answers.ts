import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
 * The answers worth keeping: what becomes of each example, and of the changed ones those that say something no other row says.
 */
export function chooseAnswers(questions: readonly NamedQuestion[], answers: readonly Answer[]): RecordedAnswer[] {
  const seen = new Set<string>();
  const cells = new Map<number, readonly unknown[] | undefined>();
  return questions.flatMap(({ name, question, base, mutation }, at) => {
    const answer = answers[at] ?? {};
    if (answer.failure !== undefined) return [];
    const dated = JSON.stringify(question).includes('"@-');
    if (question.op === "print") {
      if (!mutation) cells.set(base, answer.cells);
      const changed = answer.cells?.map((cell, i) => (cell === cells.get(base)?.[i] ? "" : "new")).join();
      return keepFirst(seen, `print ${base} ${mutation ? changed : name}`) ? [{ name, answer: mutation ? { cells: answer.cells ?? [], ...(answer.conditions !== undefined && { conditions: answer.conditions }) } : answer }] : [];
    }
    const said = [...(answer.errors ?? []), ...(answer.warnings ?? [])];
    if (mutation && (said.length === 0 || isGeneral(mutation) || said.filter((text) => keepFirst(seen, general(text))).length === 0)) return [];
    const { errors, warnings, prepared } = answer;
    return [{ name, answer: { ...(errors && { errors }), ...(warnings && { warnings }), ...(!mutation && !dated && !errors && { prepared }) } }];
  });
}

/** Metadata is much the same for all kinds; its name stands for the rest. */
const isGeneral = ({ path }: Mutation): boolean => path[0] === "metadata" && path[1] !== "name";

/** The first line, without the value it complains about, and without indices. */
const general = (text: string): string => (text.split("\n", 1)[0] ?? "").replaceAll(/\[[^\]]*\]/g, "[]").replace(/value: .*?: /, "value: ");

function keepFirst(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
