import type { Clock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";

/** Shows on the terminal what is ready, with the step under way shown live. */
export interface Report {
  /** A step begins. */
  begin(step: string): void;
  /** How far it is. */
  progress(step: string): void;
  /** It is done. */
  done(result: string): void;
  line(text: string): void;
}

export interface ReportOptions {
  write(text: string): void;
  /** Whether a line may be written over. */
  readonly isTerminal: boolean;
  readonly clock: Clock;
}

/** The same as lines of a log, for programs: what is ready and what there is to know, and nothing while it lasts. */
export function createLogReport(log: Logger, clock: Clock): Report {
  let begunAt = clock.monotonic();
  return {
    begin: () => void (begunAt = clock.monotonic()),
    progress: () => {},
    done: (result) => log.info(result, { ms: Math.round(clock.monotonic() - begunAt) }),
    line: (text) => void (text.trim() === "" || log.info(text.trim())),
  };
}

/** One line per step: what it is while it lasts (on a terminal), then what came of it and how long it took. */
export function createReport({ write, isTerminal, clock }: ReportOptions): Report {
  const mark = isTerminal ? "\u001b[32m✓\u001b[0m" : "✓";
  let begunAt = clock.monotonic();
  return {
    begin(step) {
      begunAt = clock.monotonic();
      if (isTerminal) write(`  ${step} …`);
    },
    progress(step) {
      if (isTerminal) write(`\r\u001b[2K  ${step} …`);
    },
    done(result) {
      const took = `${Math.round(clock.monotonic() - begunAt)} ms`;
      write(`${isTerminal ? "\r\u001b[2K" : ""}${mark} ${result} (${took})\n`);
    },
    line: (text) => write(`${text}\n`),
  };
}
