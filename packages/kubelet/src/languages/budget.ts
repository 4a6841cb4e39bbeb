/** What a program has used up. */
export type BudgetedResource = "steps" | "depth" | "memory";

/** A program used more than its budget has. The caller ends the program, and nothing else. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
  readonly resource: BudgetedResource;
  constructor(resource: BudgetedResource, limit: number) {
    super(
      {
        steps: `it takes more than ${limit} steps`,
        depth: `it is nested more than ${limit} levels deep`,
        memory: `it needs more than ${limit} bytes of memory`,
      }[resource],
    );
    this.resource = resource;
  }
}

export interface BudgetLimits {
  /** Nodes that are evaluated, and what else takes about as long. @default as many as it likes */
  readonly steps?: number;
  /** Evaluations inside each other: each takes a part of the stack. @default as deep as it likes */
  readonly depth?: number;
  /** Bytes that are held at once, by estimate. @default as many as it likes */
  readonly bytes?: number;
}

/**
 * What one program may use, for languages whose programs come from users who may write an object: the shell of simulated containers,
 * jq and templates. Everything is counted, nothing is timed, so that a program ends at the same place on every machine. A budget
 * inside another uses up both.
 */
export class Budget {
  #limits: Required<BudgetLimits>;
  readonly #outer: Budget | undefined;
  #steps = 0;
  #depth = 0;
  #bytes = 0;

  constructor({ steps = Infinity, depth = Infinity, bytes = Infinity }: BudgetLimits, outer?: Budget) {
    this.#limits = { steps, depth, bytes };
    this.#outer = outer;
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Another limit from now on; what is held stays, also where that is more. */
  limitBytes(bytes: number): void {
    this.#limits = { ...this.#limits, bytes };
  }

  /** Steps that were taken. */
  get steps(): number {
    return this.#steps;
  }

  /** @throws OverBudget */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.#limits.steps) throw new OverBudget("steps", this.#limits.steps);
    this.#outer?.step(count);
  }

  /** One level deeper, until `leave`. @throws OverBudget */
  enter(): void {
    if (this.#depth >= this.#limits.depth) throw new OverBudget("depth", this.#limits.depth);
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  /** Whether so many bytes more would do, without holding them: for what is made and given up again at once. @throws OverBudget */
  check(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.bytes) throw new OverBudget("memory", this.#limits.bytes);
    this.#outer?.check(bytes);
  }

  /** Until `release`. @throws OverBudget, and then holds nothing of it */
  hold(bytes: number): void {
    this.check(bytes);
    this.#grow(bytes);
  }

  release(bytes: number): void {
    this.#grow(-bytes);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#outer) this.#outer.#grow(bytes);
  }

  /** The program is over: all that it held is free. */
  releaseAll(): void {
    this.release(this.#bytes);
  }
}
