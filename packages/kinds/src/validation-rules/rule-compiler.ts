import type { DeepReadonly } from "@coxswain/api";
import type { ValidationRule } from "@coxswain/api/apiextensions/v1";
import type { Structural } from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";

export type Rule = DeepReadonly<ValidationRule>;

/**
 * Compiles the expressions of `x-kubernetes-validations`. Everything around them (limits, messages, budgets, which value is
 * `oldSelf`) is decided by its callers, so an implementation knows CEL and the types of schemas, and nothing else.
 */
export interface RuleCompiler {
  /** Whether values of the schema have a type in CEL. Without `type` and x-kubernetes-int-or-string they have none. */
  hasType(schema: Structural): boolean;
  /**
   * One result per rule, in order; undefined where values of the schema have no type.
   * The same schema node is passed again and again while a definition is checked: an implementation keeps what it
   * derived from a node by the node's identity.
   */
  compile(scope: RuleScope): readonly CompiledRule[] | undefined;
}

/** Compiles the rules of a scope one after the other, in steps. */
export function* compileInSteps(compiler: RuleCompiler, scope: RuleScope): Steps<readonly CompiledRule[] | undefined> {
  const all: CompiledRule[] = [];
  for (const rule of scope.rules) {
    const [compiled] = compiler.compile({ ...scope, rules: [rule] }) ?? [];
    if (!compiled) return undefined;
    all.push(compiled);
    yield ruleMicros(rule);
  }
  return all;
}

/** What compiling a rule and estimating its cost takes. */
const ruleMicros = ({ rule, messageExpression = "" }: Rule): number =>
  50 + 2 * (rule.length + messageExpression.length);

export interface RuleScope {
  /** The schema whose values are `self`. */
  readonly schema: Structural;
  readonly rules: readonly Rule[];
  /** Whether the value has `apiVersion`, `kind` and `metadata` whatever the schema has: the resource itself, or one embedded in it. */
  readonly isResource: boolean;
  /**
   * Whether an expression was accepted before. Such expressions may use everything the server knows; new ones only what
   * the previous release knows too, so that a downgrade does not break them.
   */
  isStored(expression: string, member: "rule" | "messageExpression"): boolean;
}

/** Costs are unsigned 64-bit integers upstream. Above 2^53 they may be rounded: the limits are far below. */
export interface CompiledRule {
  /** Why there is no program, in upstream's words ("compilation failed: …"). */
  readonly error?: { readonly kind: "required" | "invalid"; readonly detail: string };
  /** Undefined for a blank rule and for one with an error. */
  readonly program?: RuleProgram;
  readonly usesOldSelf: boolean;
  /** The most that one evaluation can cost. */
  readonly maxCost: number;
  /** How often a value of this schema can occur in the largest request, where no list or map around it has a limit. */
  readonly maxCardinality: number;
  /** Undefined where the rule has no messageExpression. */
  readonly message?: CompiledMessage;
}

export interface CompiledMessage {
  /** "messageExpression compilation failed: …" */
  readonly error?: string;
  readonly program?: RuleProgram;
  readonly maxCost: number;
}

export interface RuleProgram {
  /**
   * `old`: the value that `self` replaces, undefined for none. Of a rule with optionalOldSelf, `oldSelf` is an optional value.
   * A call that costs more than `perCallCostLimit` ends with an error that begins with `costLimitExceeded`.
   */
  evaluate(self: unknown, old: unknown): RuleOutcome;
}

export type RuleOutcome =
  | { readonly cost: number; readonly value: unknown; readonly error?: undefined }
  | { readonly cost: number; readonly error: string };

/** How errors of calls begin that were ended for their cost. */
export const costLimitExceeded = "operation cancelled: actual cost limit exceeded";

/** The most that one evaluation may cost at run time. */
export const perCallCostLimit = 1_000_000;
/** The most that all rules together may cost for one object. */
export const runtimeCostBudget = 10_000_000;
/** The most that a rule may be estimated to cost for one object. */
export const ruleCostLimit = 10_000_000;
/** The most that all rules of a schema may be estimated to cost. */
export const schemaCostLimit = 100_000_000;
/** Bytes of the largest request: what bounds how often a value can occur where nothing else does. */
export const maxRequestBytes = 3 * 1024 * 1024;
