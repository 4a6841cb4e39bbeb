/** A named condition of a component's health. Answers why it does not hold, or nothing. */
export interface HealthCheck {
  readonly name: string;
  check(): string | undefined | Promise<string | undefined>;
}

export interface HealthReport {
  /** A line per check, as `?verbose` shows them. */
  readonly lines: string;
  readonly failed: boolean;
}

export interface HealthRunOptions {
  /** Names of checks to leave out: `?exclude=name`. */
  readonly exclude?: readonly string[];
  /** Called with the outcome of every check. */
  readonly onChecked?: (name: string, ok: boolean) => void;
}

/** Runs checks in their order. Why one fails is not for everybody's eyes: the report withholds it, its own path shows it. */
export async function runHealthChecks(
  checks: readonly HealthCheck[],
  { exclude = [], onChecked = () => {} }: HealthRunOptions = {},
): Promise<HealthReport> {
  const unknown = new Set(exclude);
  let lines = "";
  let failed = false;
  for (const { name, check } of checks) {
    if (exclude.includes(name)) {
      unknown.delete(name);
      lines += `[+]${name} excluded: ok\n`;
      continue;
    }
    const running = check();
    const problem = running instanceof Promise ? await running : running;
    onChecked(name, problem === undefined);
    failed ||= problem !== undefined;
    lines += problem === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
  }
  if (unknown.size > 0)
    lines += `warn: some health checks cannot be excluded: no matches for ${[...unknown]
      .sort()
      .map((name) => JSON.stringify(name))
      .join(", ")}\n`;
  return { lines, failed };
}
