import type { Contestant } from "./contestant.js";
import type { Row } from "./rows/row.js";
import { Samples } from "./samples.js";
import type { Line } from "./table.js";

export interface MeasureOptions {
  readonly contestants: readonly Contestant[];
  /** Aborted: nothing is measured any more. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

export interface Measured {
  readonly lines: readonly Line[];
  readonly failures: readonly string[];
}

/** The servers take turns within every round, so that neither has the quieter machine. One that fails has no figures of this row; the other goes on. */
export async function measureRow(row: Row, { contestants, signal, print }: MeasureOptions): Promise<Measured> {
  const samples = { upstream: new Samples(), ours: new Samples() };
  const failures = new Map<Contestant, string>();
  const rounds = row.rounds ?? 1;
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      if (failures.has(contestant) || (row.only !== undefined && row.only !== contestant.name)) continue;
      print(`${row.name}: ${contestant.name}, round ${round + 1} of ${rounds}`);
      try {
        for (const [what, value] of await measureInTime(row, contestant)) samples[contestant.name].add(what, value);
      } catch (error) {
        signal.throwIfAborted();
        failures.set(contestant, `${row.name}: ${contestant.name} failed: ${String(error)}`);
        print(failures.get(contestant)!);
      }
    }
  }
  const valuesOf = (name: Contestant["name"], figure: Row["figures"][number]) =>
    [...failures.keys()].some((failed) => failed.name === name) ? undefined : samples[name].valueOf(figure);
  return {
    lines: row.figures.map((figure) => ({
      figure,
      upstream: valuesOf("upstream", figure),
      ours: valuesOf("ours", figure),
    })),
    failures: [...failures.values()],
  };
}

async function measureInTime(row: Row, contestant: Contestant): ReturnType<Row["measure"]> {
  const minutes = row.mostMinutes ?? 10;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error(`not done after ${minutes} minutes`)), minutes * 60_000);
  contestant.limitTo(abort.signal);
  try {
    return await row.measure(contestant);
  } finally {
    clearTimeout(timer);
  }
}
