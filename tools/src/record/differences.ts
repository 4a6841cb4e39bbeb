import type { RecordedAnswer } from "./answer.js";
import type { Json } from "./json.js";
import { isJsonObject } from "./json.js";

/** One place where two servers, or two runs, answered differently. `undefined`: there is nothing there. */
export interface Difference {
  readonly step: string;
  /** For example `body.metadata.labels.app` or `headers.vary`. */
  readonly path: string;
  readonly want: Json | undefined;
  readonly got: Json | undefined;
}

/** Compares answers as data: members in any order, lists in theirs. Steps are matched by name. */
export function findDifferences(want: readonly RecordedAnswer[], got: readonly RecordedAnswer[]): Difference[] {
  const byStep = new Map(got.map((answer) => [answer.step, answer]));
  return want.flatMap((answer) => {
    const found: Difference[] = [];
    const { step, ...expected } = answer;
    const actual = byStep.get(step);
    const { step: _, ...rest } = actual ?? { step };
    compare(expected as unknown as Json, rest as unknown as Json, "", (path, a, b) =>
      found.push({ step, path, want: a, got: b }),
    );
    return found;
  });
}

type Report = (path: string, want: Json | undefined, got: Json | undefined) => void;

function compare(want: Json | undefined, got: Json | undefined, path: string, report: Report): void {
  const inner = (name: string | number): string => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(want) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(want.length, got.length); i++) compare(want[i], got[i], inner(i), report);
  } else if (isJsonObject(want) && isJsonObject(got)) {
    for (const name of new Set([...Object.keys(want), ...Object.keys(got)])) {
      compare(own(want, name), own(got, name), inner(name), report);
    }
  } else if (want !== got) {
    report(path, want, got);
  }
}

const own = (value: { readonly [member: string]: Json }, name: string): Json | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** One line per difference, cut to a readable length. */
export function formatDifference({ step, path, want, got }: Difference): string {
  const show = (value: Json | undefined): string => {
    const text = value === undefined ? "nothing" : JSON.stringify(value);
    return text.length > 160 ? `${text.slice(0, 157)}...` : text;
  };
  return `${step}: ${path}: want ${show(want)}, got ${show(got)}`;
}
