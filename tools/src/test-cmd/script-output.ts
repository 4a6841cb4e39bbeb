import type { Outcome } from "../conformance/outcome.js";

/** Escape sequences that set or reset colours. */
const colour = /\u001B(?:\[[0-9;]*m|\(B)/g;

/**
 * Reads what upstream's recorder prints, line by line, and answers a function's outcome as soon as it is there:
 *
 *     Recording: run_pod_tests
 *     Running command: run_pod_tests
 *     …
 *     +++ exit code: 0
 *
 * Both streams of the scripts must come in one, or the lines of a failure stand in another place.
 */
export function createScriptReader(
  seconds: () => number,
  onOutcome: (outcome: Outcome) => void,
): { line(text: string): void /** What was printed since the last function ended. */; rest(): string } {
  let running: { name: string; began: number } | undefined;
  let printed: string[] = [];
  return {
    line(coloured) {
      const text = coloured.replaceAll(colour, "");
      const name = /^Recording: (run_\w+)$/.exec(text)?.[1];
      if (name !== undefined) {
        running = { name, began: seconds() };
        printed = [];
      }
      printed.push(text);
      const code = /^\+\+\+ exit code: (\d+)$/.exec(text)?.[1];
      if (code === undefined || running === undefined) return;
      const passed = code === "0";
      onOutcome({
        test: running.name,
        verdict: passed ? "passed" : "failed",
        seconds: seconds() - running.began,
        ...(passed ? {} : { message: reasonOf(printed) }),
      });
      running = undefined;
      printed = [];
    },
    rest: () => printed.slice(-30).join("\n"),
  };
}

/** The line with the error, if there is one, and the lines before the end. */
function reasonOf(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /^(FAIL!|!!! \[)/.test(line));
  return lines.slice(at < 0 ? -12 : Math.max(0, at - 4), at < 0 ? undefined : at + 12).join("\n");
}
