import { expect, it } from "vitest";
import { formatTable } from "./table.js";

it("counts the functions and names those that did not pass", () => {
  const verdicts: Record<string, "passed" | "failed"> = { run_pod_tests: "passed", run_rc_tests: "failed" };
  const get = (test: string) =>
    verdicts[test] === undefined ? undefined : { test, verdict: verdicts[test], seconds: 1 };
  expect(formatTable(["run_pod_tests", "run_rc_tests", "run_multi_resources_tests", "run_rs_tests"], { get })).toBe(
    [
      "4 functions: 1 passed, 1 failed, 1 left out, 1 not run",
      "  failed    run_rc_tests",
      "  left out  run_multi_resources_tests: fetches a file from the internet",
      "  not run   run_rs_tests",
    ].join("\n"),
  );
});
