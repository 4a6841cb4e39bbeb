import { largest } from "@coxswain/apimachinery/append";

/** A limit on nesting is exceeded: then the only error that is reported. */
export class NestingLimit extends Error {}

export type Rule = "expr" | "relation" | "calc" | "member";

/** How deep the parser is, by upstream's two measures: rules of the grammar within each other, and operations above each other. */
export class Nesting {
  readonly #limit: number;
  readonly depths: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  /** How deep the expression parsed last is, in operations. */
  height = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more level of a rule. Left-recursive rules nest once per operator, as the tree of upstream's parser does. */
  enter(rule: Rule): void {
    if (++this.depths[rule] > this.#limit)
      throw new NestingLimit(`expression recursion limit exceeded: ${this.#limit}`);
  }

  /** One more operation above the ones of these heights. */
  deepen(...heights: number[]): void {
    this.height = largest(heights) + 1;
    if (this.height > this.#limit) throw new NestingLimit("max recursion depth exceeded");
  }
}
