import { quoteGo } from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { costLimitExceeded, type Rule, type RuleProgram } from "./rule-compiler.js";

/** The most bytes of a message that an expression makes. */
const maxMessageBytes = 5 * 1024;

export type EvaluatedMessage =
  /** `text` undefined: the expression gave no usable message, and the rule's own is taken. */
  | { readonly kind: "message"; readonly text: string | undefined; readonly budget: number }
  /** No further rule is run. */
  | { readonly kind: "exhausted"; readonly detail: string };

export function evaluateMessage(
  program: RuleProgram,
  { messageExpression = "" }: Rule,
  values: { readonly self: unknown; readonly old: unknown },
  budget: number,
): EvaluatedMessage {
  const outcome = program.evaluate(values.self, values.old);
  if (outcome.cost > budget)
    return {
      kind: "exhausted",
      detail:
        "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
    };
  if (outcome.error?.startsWith(costLimitExceeded) === true)
    return {
      kind: "exhausted",
      detail: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoteGo(messageExpression)}`,
    };
  const text = outcome.error === undefined ? usable(outcome.value) : undefined;
  return { kind: "message", text, budget: budget - outcome.cost };
}

/** One line that is neither blank nor too long. */
function usable(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || text.includes("\n") || utf8Length(text) > maxMessageBytes ? undefined : text;
}

/** What a rule is called in messages about it: its message, else its text. */
export const ruleName = ({ rule, message = "" }: Rule): string => (message === "" ? rule : message).trim();

export const ownMessage = (rule: Rule): string =>
  rule.message ? rule.message.trim() : `failed rule: ${ruleName(rule)}`;
