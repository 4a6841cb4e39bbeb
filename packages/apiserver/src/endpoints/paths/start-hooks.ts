/** What a server does when it starts. Health checks of the same names hold once it is done. */
export interface StartHooks {
  readonly names: readonly string[];
  finish(...names: readonly string[]): void;
  /** Why a check does not hold, or nothing. */
  problem(name: string): string | undefined;
}

/** Throws for a name that is not among `names`: a check that can never hold is a mistake. */
export function createStartHooks(names: readonly string[]): StartHooks {
  const waiting = new Set(names);
  return {
    names,
    finish(...done) {
      for (const name of done) {
        if (!names.includes(name)) throw new Error(`there is nothing called ${name} at the start`);
        waiting.delete(name);
      }
    },
    problem: (name) => (waiting.has(name) ? "not finished" : undefined),
  };
}
