import type { Environment } from "../environment.js";
import type { Formats } from "../index.js";

export const marksOf = (env: Environment): readonly number[] => (env.fact("marks") as number[] | undefined) ?? [];

/**
 * Formats as they might come to be: from 3 over 4 to 5. Each step leaves a mark in the file, so that one can see that it ran
 * once, and reports the moment it is at.
 */
export function olderFormats(at: (moment: string) => unknown): Formats {
  const step = (from: number): Formats["migrations"][number] => ({
    from,
    what: `a mark for format ${from + 1}`,
    run(env) {
      at(`before ${from + 1}`);
      env.setFact("marks", [...marksOf(env), from + 1]);
      at(`inside ${from + 1}`);
    },
  });
  return { current: 5, migrations: [step(3), step(4)] };
}
