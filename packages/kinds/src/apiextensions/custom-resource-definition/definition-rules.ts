import type { RuleCompiler } from "../../validation-rules/rule-compiler.js";

/** Rules that came later: an update keeps to them only where the stored definition does. */
export interface DefinitionRules {
  readonly knownReviewVersion: boolean;
  readonly schemaInEveryVersion: boolean;
  readonly validTypes: boolean;
  readonly structural: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly listKeys: boolean;
  /** Whether the certificates of a conversion webhook must be some. A definition that nobody uses yet may have others. */
  readonly certificates: boolean;
  /** Versions ("" for what they have in common) that may select by more fields than is allowed today. */
  readonly manyFields: ReadonlySet<string>;
  /** Versions whose schema is the stored one: an expression of theirs may cost more than is allowed today. */
  readonly sameSchemas: ReadonlySet<string>;
  /** Undefined where nobody can compile expressions: they are not checked then. */
  readonly expressions: ExpressionRules | undefined;
}

export interface ExpressionRules {
  readonly compiler: RuleCompiler;
  /** Expressions of the stored definition. */
  readonly stored: Readonly<Record<"rule" | "messageExpression", ReadonlySet<string>>>;
  /** Whether a single expression may cost any amount. */
  readonly anyCost: boolean;
}
