import { parseInt64 } from "../int-or-string/int64.js";
import { getOwn, type UserMap } from "../own/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { type LabelRequirement, requirementText } from "./requirement.js";

/** The labels of an object. */
export type Labels = UserMap<string> | Readonly<Record<string, string>> | undefined;

/** A compiled label selector. Immutable: compile once, match many. */
export interface Selector {
  matches(labels: Labels): boolean;
  /** Whether it lets everything through. */
  readonly empty: boolean;
  /** Whether it lets nothing through: made of a missing LabelSelector. Its text is empty, too. */
  readonly nothing: boolean;
  /** Ordered by key; all of them must hold. */
  readonly requirements: readonly LabelRequirement[];
  /** The one value that the label must have, where the selector asks for exactly one. */
  requiresExactMatch(key: string): string | undefined;
  /** A new selector that asks for more. */
  and(...more: readonly LabelRequirement[]): Selector;
  /** A text that parses to the same selector. */
  toString(): string;
}

type Test = (labels: Labels) => boolean;

class RequirementsSelector implements Selector {
  readonly requirements: readonly LabelRequirement[];
  readonly nothing = false;
  readonly #tests: readonly Test[];

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = [...requirements].sort((a, b) => compareUtf8(a.key, b.key));
    this.#tests = this.requirements.map(compile);
  }

  get empty(): boolean {
    return this.#tests.length === 0;
  }

  matches(labels: Labels): boolean {
    for (const test of this.#tests) if (!test(labels)) return false;
    return true;
  }

  requiresExactMatch(key: string): string | undefined {
    const first = this.requirements.find((requirement) => requirement.key === key);
    const exact =
      first &&
      (first.operator === "=" || first.operator === "==" || first.operator === "in") &&
      first.values.length === 1;
    return exact ? first.values[0] : undefined;
  }

  and(...more: readonly LabelRequirement[]): Selector {
    return more.length === 0 ? this : new RequirementsSelector([...this.requirements, ...more]);
  }

  toString(): string {
    return this.requirements.map(requirementText).join(",");
  }
}

/** Matches every object. */
export const everything: Selector = new RequirementsSelector([]);

/** Matches no object, whatever is added to it. */
export const nothing: Selector = {
  matches: () => false,
  empty: false,
  nothing: true,
  requirements: [],
  requiresExactMatch: () => undefined,
  and: () => nothing,
  toString: () => "",
};

export const selectorOf = (requirements: readonly LabelRequirement[]): Selector =>
  requirements.length === 0 ? everything : new RequirementsSelector(requirements);

function compile({ key, operator, values }: LabelRequirement): Test {
  const [only = ""] = values;
  switch (operator) {
    case "=":
    case "==":
      return (labels) => getOwn(labels, key) === only;
    case "!=":
      return (labels) => getOwn(labels, key) !== only;
    case "in": {
      const wanted = new Set(values);
      return (labels) => {
        const value = getOwn(labels, key);
        return value !== undefined && wanted.has(value);
      };
    }
    case "notin": {
      const unwanted = new Set(values);
      return (labels) => {
        const value = getOwn(labels, key);
        return value === undefined || !unwanted.has(value);
      };
    }
    case "exists":
      return (labels) => getOwn(labels, key) !== undefined;
    case "!":
      return (labels) => getOwn(labels, key) === undefined;
    case "gt":
    case "lt": {
      const bound = parseInt64(only);
      return (labels) => {
        const value = parseInt64(getOwn(labels, key) ?? "");
        if (value === undefined || bound === undefined) return false;
        return operator === "gt" ? value > bound : value < bound;
      };
    }
  }
}
