import type { CommandOutcome, KubectlCommand } from "./kubectl-command.js";
import { nameOf } from "./run-commands.js";

export interface Column {
  readonly minor: string;
  readonly outcomes: ReadonlyMap<KubectlCommand, CommandOutcome>;
}

const longestName = 70;
const shortened = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text);

/** A line for each command, a column for each release: `ok`, `FAIL` or nothing where the release has no such command; then the problems. */
export function formatMatrix(columns: readonly Column[], commands: readonly KubectlCommand[]): string {
  const width = 6;
  const head = "command".padEnd(longestName) + columns.map(({ minor }) => minor.padStart(width)).join("");
  const cell = (outcome: CommandOutcome | undefined): string =>
    (outcome === undefined ? "–" : outcome.ok ? "ok" : "FAIL").padStart(width);
  const lines = commands.map(
    (command) =>
      shortened(nameOf(command)).padEnd(longestName) +
      columns.map(({ outcomes }) => cell(outcomes.get(command))).join(""),
  );
  const problems = columns.flatMap(({ minor, outcomes }) =>
    [...outcomes]
      .filter(([, { ok }]) => !ok)
      .map(([command, { problem }]) => `${minor} ${shortened(nameOf(command))}: ${problem}`),
  );
  const totals = columns.map(
    ({ minor, outcomes }) => `${minor}: ${[...outcomes.values()].filter(({ ok }) => ok).length} of ${outcomes.size}`,
  );
  return [head, ...lines, "", ...problems, ...(problems.length > 0 ? [""] : []), totals.join(", ")].join("\n");
}
