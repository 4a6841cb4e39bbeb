import type { Question, Verdict } from "./question.js";

/** Objects, questions about them, and what kube-apiserver answered. */
export interface DecisionTable {
  readonly server: string;
  /** What stands around: made in this order before anything is asked. */
  readonly world: readonly WorldObject[];
  readonly rows: readonly { readonly question: Question; readonly verdict: Verdict }[];
}

export interface WorldObject {
  readonly path: string;
  readonly object: object;
  /** Written by a merge patch to the object's status once it is made. */
  readonly status?: object;
}

/** Every word stands once; a question is a row of numbers, the last one of its verdict. */
interface Coded {
  readonly server: string;
  readonly world: readonly WorldObject[];
  readonly words: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly rows: readonly (readonly number[])[];
}

const members = [
  "user",
  "verb",
  "path",
  "group",
  "resource",
  "subresource",
  "name",
  "namespace",
  "fieldSelector",
  "labelSelector",
] as const;

export function encodeDecisions({ server, world, rows }: DecisionTable): string {
  const words = new Map<string, number>();
  const verdicts = new Map<string, number>();
  const number = (map: Map<string, number>, text: string): number => {
    const known = map.get(text) ?? map.size;
    map.set(text, known);
    return known;
  };
  const coded = rows.map(({ question, verdict }) => [
    ...members.map((member) => number(words, question[member])),
    number(words, question.groups.join(",")),
    number(verdicts, JSON.stringify(verdict)),
  ]);
  const line = (list: readonly unknown[]): string => `[\n${list.map((each) => JSON.stringify(each)).join(",\n")}\n]`;
  return `{"server":${JSON.stringify(server)},\n"world":${line(world)},\n"words":${JSON.stringify([...words.keys()])},\n"verdicts":[\n${[...verdicts.keys()].join(",\n")}\n],\n"rows":${line(coded)}}\n`;
}

export function decodeDecisions(text: string): DecisionTable {
  const { server, world, words, verdicts, rows } = JSON.parse(text) as Coded;
  return {
    server,
    world,
    rows: rows.map((row) => {
      const word = (at: number): string => words[row[at] ?? -1] ?? "";
      const named = Object.fromEntries(members.map((member, at) => [member, word(at)])) as Record<
        (typeof members)[number],
        string
      >;
      const groups = word(members.length);
      return {
        question: { ...named, groups: groups === "" ? [] : groups.split(",") },
        verdict: verdicts[row.at(-1) ?? -1] ?? { allowed: false },
      };
    }),
  };
}
