import type { CompiledRule, Rule, RuleCompiler, RuleOutcome } from "./rule-compiler.js";

/** The result of a rule in a test: how it compiles, and what it does. */
export interface KnownRule extends Partial<Omit<CompiledRule, "program" | "message" | "error">> {
  readonly error?: string;
  readonly messageError?: string;
  readonly messageCost?: number;
  /** @default it holds */
  readonly holds?: (self: never, old: never) => unknown;
  readonly message?: (self: never, old: never) => unknown;
}

/** Stands for CEL where its own package is not at hand: rules are looked up by their text. */
export const knownRules = (rules: Readonly<Record<string, KnownRule>>): RuleCompiler => ({
  hasType: ({ type, intOrString }) => type !== "" || intOrString,
  compile({ schema, rules: sources }) {
    return schema.type === "" && !schema.intOrString ? undefined : sources.map((source) => compiled(source, rules));
  },
});

function compiled(source: Rule, rules: Readonly<Record<string, KnownRule>>): CompiledRule {
  const known = rules[source.rule];
  if (!known) throw new Error(`the test does not know the rule ${source.rule}`);
  const { error, messageError, messageCost = 0, holds = () => true, message = () => "", ...rest } = known;
  const base = { usesOldSelf: false, maxCost: 1, maxCardinality: 1, ...rest };
  if (error) return { ...base, error: { kind: "invalid", detail: error } };
  return {
    ...base,
    program: program(holds),
    ...(source.messageExpression && {
      message: {
        maxCost: messageCost,
        ...(messageError ? { error: messageError } : { program: program(message) }),
      },
    }),
  };
}

/** An error that is thrown is the rule's; of a number it is what the rule cost. */
const program = (run: (self: never, old: never) => unknown): NonNullable<CompiledRule["program"]> => ({
  evaluate(self, old): RuleOutcome {
    try {
      const value = run(self as never, old as never);
      return typeof value === "number" ? { cost: value, value: true } : { cost: 1, value };
    } catch (err) {
      return { cost: 1, error: (err as Error).message };
    }
  },
});
