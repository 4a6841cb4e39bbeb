import type { Outcome, Verdict } from "./outcome.js";

/** What ginkgo prints between two things it reports, when it runs in parallel with `-v --no-color`. */
const rule = "------------------------------";

/**
 * Reads ginkgo's output line by line and answers a test's outcome as soon as it is whole. Ginkgo's own reports are written
 * when everything is over, and a run that takes an hour may be stopped before.
 *
 * A report is a header, the test's name and the rest of it; in the name of a failed one stands the node that failed:
 *
 *     • [FAILED] [3.042 seconds]
 *     [sig-node] ConfigMap [It] should do this [Conformance] [sig-node, Conformance]
 *       k8s.io/kubernetes/test/e2e/common/node/configmap.go:176
 *
 *       Timeline >>
 *       …
 *       << Timeline
 *
 *       [FAILED] why
 *       In [It] at: …
 */
export function createGinkgoReader(
  tests: readonly string[],
  onOutcome: (outcome: Outcome) => void,
): { line(text: string): void; end(): void } {
  let block: string[] = [];
  const finish = (): void => {
    const outcome = outcomeOf(block, tests);
    block = [];
    if (outcome) onOutcome(outcome);
  };
  return {
    line(text) {
      if (text === rule) finish();
      else block.push(text);
    },
    end: finish,
  };
}

/** Ginkgo's words for what is neither passed nor skipped all mean that the test failed, but for one: an interruption is our doing. */
const verdictOf: Readonly<Record<string, Verdict | undefined>> = {
  "": "passed",
  FAILED: "failed",
  "PANICKED!": "failed",
  TIMEDOUT: "failed",
  ABORTED: "failed",
  SKIPPED: "skipped",
  PENDING: "skipped",
};

function outcomeOf(block: readonly string[], tests: readonly string[]): Outcome | undefined {
  const header = block.findIndex((line) => /^[•SP] \[/.test(line));
  if (header < 0) return undefined;
  const [, , word = "", seconds] = /^[•SP] (\[([A-Z!]+)\] )?\[([0-9.]+) seconds\]/.exec(block[header] ?? "") ?? [];
  const verdict = verdictOf[word];
  const test = nameOf(block[header + 1] ?? "", tests);
  if (verdict === undefined || test === undefined) return undefined;
  const message = verdict === "passed" ? undefined : messageOf(block.slice(header + 2));
  return { test, verdict, seconds: Number(seconds ?? 0), ...(message === undefined ? {} : { message }) };
}

const failedNode =
  / \[(?:It|BeforeEach|JustBeforeEach|AfterEach|JustAfterEach|DeferCleanup(?: \([A-Za-z]+\))?|BeforeAll|AfterAll)\]/;

/** The test whose name begins the line, the longest if there are several. */
function nameOf(line: string, tests: readonly string[]): string | undefined {
  const plain = line.replace(failedNode, "");
  const fitting = tests.filter((test) => line.startsWith(test) || plain.startsWith(test));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** What stands behind the timeline, from its first `[FAILED]` or `[SKIPPED]` on. */
function messageOf(lines: readonly string[]): string {
  const behind = lines.slice(lines.lastIndexOf("  << Timeline") + 1).map((line) => line.replace(/^ {2}/, ""));
  return behind
    .join("\n")
    .trim()
    .replace(/^\[[A-Z!]+\] /, "");
}
