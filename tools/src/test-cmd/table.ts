import type { KeptResults } from "../conformance/kept-results.js";
import { leftOut } from "./functions.js";

/** A line of counts, then every function that did not pass: failed, left out with the reason, or not run. */
export function formatTable(functions: readonly string[], kept: Pick<KeptResults, "get">): string {
  const rows = functions.map((name) => ({
    name,
    verdict: kept.get(name)?.verdict ?? (name in leftOut ? "left out" : "not run"),
  }));
  const counts = ["passed", "failed", "left out", "not run"].map(
    (verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`,
  );
  const others = rows
    .filter(({ verdict }) => verdict !== "passed")
    .map(({ name, verdict }) => `  ${verdict.padEnd(8)}  ${name}${verdict === "left out" ? `: ${leftOut[name]}` : ""}`);
  return [`${functions.length} functions: ${counts.join(", ")}`, ...others].join("\n");
}
