import type { StoreMeta, Writer } from "./environment.js";

/**
 * Work that is not urgent and is done in small steps, with the commits of others or in a pause between them.
 * A step only plans: nothing of it counts until its commit is durable. It goes by what everybody can see already: were it to
 * follow a compaction of the same commit, it would take from readers what they may still ask for.
 */
export interface Chore {
  /** Whether there is something to do in a commit that brings the file to the revision `reached`. */
  due(meta: StoreMeta, reached: number): boolean;
  /** Adds a step to the commit. */
  step(writer: Writer, meta: StoreMeta): ChoreStep;
}

export interface ChoreStep {
  readonly changes: Partial<StoreMeta>;
  /** Called when the commit is durable. */
  done(): void;
}
