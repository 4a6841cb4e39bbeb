/** What a start consists of, in its order. */
export type StartStep =
  | "caches are filled"
  | "admission is ready"
  | "objects are made"
  | "objects are up to date"
  | "everything is served";

/** Something that a server does when it starts, and the step of ours after which it is done. */
export interface StartHook {
  readonly name: string;
  readonly after: StartStep;
}

/** What a server does when it starts. Health checks of the same names hold once it is done. */
export interface StartHooks {
  readonly names: readonly string[];
  /** The start has come so far: what is done with this step is done. */
  reach(step: StartStep): void;
  /** Why a check does not hold, or nothing. */
  problem(name: string): string | undefined;
}

export function createStartHooks(hooks: readonly StartHook[]): StartHooks {
  const waiting = new Map(hooks.map(({ name, after }) => [name, after]));
  return {
    names: hooks.map(({ name }) => name),
    reach(step) {
      for (const [name, after] of waiting) if (after === step) waiting.delete(name);
    },
    problem: (name) => (waiting.has(name) ? "not finished" : undefined),
  };
}
