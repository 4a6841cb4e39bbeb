/** What one check found on one version. */
export interface Outcome {
  readonly passed: boolean;
  /** A few words for the table. */
  readonly text: string;
  /** What failed, for below the table. */
  readonly details: readonly string[];
}

export interface VersionRow {
  readonly version: string;
  /** By the name of the check; a check that was not asked for is missing. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** A Markdown table with a row for each version, then everything that failed. */
export function formatTable(checks: readonly string[], rows: readonly VersionRow[]): string {
  const lines = [
    ["Node", ...checks],
    ["---", ...checks.map(() => "---")],
  ];
  for (const { version, outcomes } of rows) lines.push([version, ...checks.map((check) => cellOf(outcomes[check]))]);
  const failures = rows.flatMap(({ version, outcomes }) =>
    checks.flatMap((check) => (outcomes[check]?.details ?? []).map((detail) => `${version}, ${check}: ${detail}`)),
  );
  return [...lines.map((cells) => `| ${cells.join(" | ")} |`), ...(failures.length > 0 ? ["", ...failures] : [])].join(
    "\n",
  );
}

const cellOf = (outcome: Outcome | undefined): string =>
  outcome === undefined ? "" : `${outcome.passed ? "✓" : "✗"} ${outcome.text}`;
