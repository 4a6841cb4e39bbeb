/** One line as a person types it, and what must come of it. */
export interface KubectlCommand {
  /** For bash; `kubectl` is the release under test, the folder is the scene's. */
  readonly run: string;
  /** The line's label in the table. @default `run` */
  readonly name?: string;
  /** Must be found in what it prints (standard output, then standard error). */
  readonly prints?: RegExp;
  /** It must end with an error. @default false */
  readonly fails?: boolean;
  /** The first minor release that knows it (28: 1.28). */
  readonly since?: number;
  /** What it prints depends on when it is asked, so two servers' answers are not compared. */
  readonly varies?: boolean;
  /** Part of the short set that `npm test` runs. */
  readonly short?: boolean;
}

export interface CommandOutcome {
  readonly ok: boolean;
  /** Of a failed one: its first line of problem. */
  readonly problem: string;
  /** All it printed. */
  readonly printed: string;
}

/** What a command did, and whether it should have. */
export function outcomeOf(
  command: KubectlCommand,
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
): CommandOutcome {
  const printed = stdout + stderr;
  const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";
  if ((code !== 0) !== (command.fails ?? false))
    return {
      ok: false,
      printed,
      problem: code === 0 ? "did not fail" : firstLine(stderr) || firstLine(stdout) || `ended with ${code}`,
    };
  if (command.prints && !command.prints.test(printed))
    return { ok: false, printed, problem: `printed otherwise: ${firstLine(printed)}` };
  return { ok: true, printed, problem: "" };
}
