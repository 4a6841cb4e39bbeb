import { type ChildProcess, spawn } from "node:child_process";
import { findIn } from "./read-tutorial.js";

/** A program that runs beside the reader's commands until it is stopped. */
export class SecondTerminal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #output = "";
  /** What was seen before this is not seen again. */
  #seen = 0;
  /** When each line that names a duration began, in milliseconds of `performance.now`, by where it ends. */
  readonly #began = new Map<number, number>();
  #isOver = false;
  #wake = (): void => {};

  constructor(
    commands: string,
    { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    // A process group of its own: Ctrl-C reaches all of it.
    this.#child = spawn("bash", ["-e", "-c", commands], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const take = (chunk: unknown): void => {
      this.#output += String(chunk);
      this.#noteDurations();
      this.#wake();
    };
    this.#child.stdout?.on("data", take);
    this.#child.stderr?.on("data", take);
    // However this process ends, that one does.
    process.once("exit", this.#interrupt);
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", () => {
        this.#isOver = true;
        process.off("exit", this.#interrupt);
        this.#wake();
        resolve();
      });
    });
  }

  get output(): string {
    return this.#output;
  }

  /**
   * Waits until it shows the text. Lines with a duration, `(120 ms)`, count only if what they report began after `since`: a program that
   * is built anew with each change must have seen the last one. It has, too, where it reports later that nothing has changed since: a build
   * that began before the change may have read it all the same. @throws Error where it ends before
   */
  async see(text: string, since: number): Promise<void> {
    let isShown = false;
    for (;;) {
      if (isShown && this.#hasNothingToDoSince(since)) return;
      const end = findIn(this.#output.slice(this.#seen), text);
      if (end !== undefined) {
        const at = this.#seen + end;
        const began = this.#began.get(at);
        this.#seen = at;
        if (began === undefined || began >= since) return;
        isShown = true;
        continue;
      }
      if (this.#isOver) throw new Error(`the second terminal ended without\n${text}\nIt shows\n${this.#output}`);
      await new Promise<void>((resolve) => void (this.#wake = resolve));
    }
  }

  #hasNothingToDoSince(since: number): boolean {
    for (const match of this.#output.matchAll(/nothing to start again \(\d+ ms\)/g))
      if ((this.#began.get(match.index + match[0].length) ?? 0) >= since) return true;
    return false;
  }

  /** As Ctrl-C does. */
  async stop(): Promise<void> {
    this.#interrupt();
    await this.#ended;
  }

  readonly #interrupt = (): void => {
    if (!this.#isOver && this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGINT");
  };

  #noteDurations(): void {
    const now = performance.now();
    for (const match of this.#output.matchAll(/\((\d+) ms\)(?=\n)/g)) {
      const end = match.index + match[0].length;
      if (!this.#began.has(end)) this.#began.set(end, now - Number(match[1]));
    }
  }
}
