import type { AccessExpression } from "@coxswain/cel/access";

/** The message of the first rule that does not hold; undefined: they all do. */
export function failedRule<Input>(
  rules: readonly { readonly condition: AccessExpression<Input>; readonly message: string }[],
  input: Input,
): string | undefined {
  const outcomes = rules.map(({ condition, message }) => ({ condition, message, ...condition.evaluate(input) }));
  const failed = outcomes.find(({ error }) => error !== undefined);
  if (failed) return failed.error;
  for (const { condition, message, value } of outcomes) {
    if (typeof value !== "boolean") return "validation expression must return a boolean";
    if (!value) return `validation expression '${condition.expression}' failed: ${message}`;
  }
  return undefined;
}
