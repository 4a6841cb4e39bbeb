/** One of `coxswain`'s commands. */
export interface Command {
  readonly name: string;
  /** A line for the list of commands. */
  readonly summary: string;
  /** Runs until it is done; the number is the exit code. */
  run(args: readonly string[]): Promise<number>;
}
