import type { Structural } from "@coxswain/apimachinery/structural-schema";
import {
  CelError,
  type CheckedExpr,
  type CostEstimator,
  type Environment,
  OptionalValue,
  optionalType,
  ProgramError,
  type Type,
  type Value,
} from "@coxswain/cel";
import {
  createBaseEnvironments,
  type DeclaredType,
  declaredSizes,
  declaredTypeProvider,
  type EnvironmentSet,
  hasSchemaType,
  nameTypes,
  schemaToType,
  schemaToValue,
} from "@coxswain/cel/kubernetes";
import {
  type CompiledMessage,
  type CompiledRule,
  maxRequestBytes,
  perCallCostLimit,
  type Rule,
  type RuleCompiler,
  type RuleProgram,
  type RuleScope,
} from "../validation-rules/rule-compiler.js";

/** Compiles the rules of schemas as CEL in Kubernetes' environment. Its own entry of the package: a program without rules loads no CEL. */
export function createCelRuleCompiler(environments: EnvironmentSet = createBaseEnvironments()): RuleCompiler {
  /** By whether the node is a resource; null for no type. */
  const known = new WeakMap<Structural, Map<boolean, SchemaRules | null>>();
  const rulesOf = (schema: Structural, isResource: boolean): SchemaRules | undefined => {
    let both = known.get(schema);
    if (!both) known.set(schema, (both = new Map()));
    let rules = both.get(isResource);
    if (rules === undefined) both.set(isResource, (rules = readSchema(schema, isResource, environments)));
    return rules ?? undefined;
  };
  return {
    hasType: hasSchemaType,
    compile(scope) {
      const rules = rulesOf(scope.schema, scope.isResource);
      return rules && scope.rules.map((rule) => compileRule(rule, scope, rules));
    },
  };
}

/** What all rules of a schema node share. */
interface SchemaRules {
  readonly plain: EnvironmentSet;
  /** Where `oldSelf` may be missing. */
  optional(): EnvironmentSet;
  readonly sizes: CostEstimator;
  readonly maxCardinality: number;
}

/** Upstream makes a new name for every compilation, so that nobody comes to rely on it. */
const selfTypeName = "selfType";

function readSchema(schema: Structural, isResource: boolean, base: EnvironmentSet): SchemaRules | null {
  const unnamed = schemaToType(schema, { isResourceRoot: isResource });
  if (!unnamed) return null;
  const declared: DeclaredType = nameTypes(unnamed, selfTypeName);
  const providers = [declaredTypeProvider([declared])];
  const withOld = (oldSelf: Type): EnvironmentSet =>
    base.extend({ providers, variables: { self: declared.type, oldSelf } });
  let optional: EnvironmentSet | undefined;
  return {
    plain: withOld(declared.type),
    // Few rules want it.
    optional: () => (optional ??= withOld(optionalType(declared.type))),
    sizes: declaredSizes(declared),
    // One comma at least stands between two values.
    maxCardinality: Math.floor(maxRequestBytes / (declared.minSize + 1)),
  };
}

function compileRule(
  rule: Rule,
  scope: RuleScope,
  { plain, optional, sizes, maxCardinality }: SchemaRules,
): CompiledRule {
  const failed = (detail: string, usesOldSelf = false): CompiledRule => ({
    error: { kind: "invalid", detail },
    usesOldSelf,
    maxCost: 0,
    maxCardinality: 0,
  });
  if (rule.rule.trim() === "") return { usesOldSelf: false, maxCost: 0, maxCardinality: 0 };
  const isOptional = rule.optionalOldSelf === true;
  const environments = isOptional ? optional() : plain;
  const environment = scope.isStored(rule.rule, "rule") ? environments.forStored : environments.forNew;
  const compiled = environment.compile(rule.rule);
  if (!compiled.ok) return failed(`compilation failed: ${compiled.message}`);
  if (compiled.type.kind !== "bool") return failed("cel expression must evaluate to a bool");
  const usesOldSelf = refersToOldSelf(compiled.checked);
  const made = makeProgram(environment, compiled.checked, scope.schema, isOptional);
  if (typeof made === "string") return failed(`program instantiation failed: ${made}`, usesOldSelf);
  return {
    program: made,
    usesOldSelf,
    maxCost: Number(environment.estimateCost(compiled.checked, sizes).max),
    maxCardinality,
    ...(rule.messageExpression && { message: compileMessage(rule.messageExpression, scope, environments, sizes) }),
  };
}

function compileMessage(
  expression: string,
  scope: RuleScope,
  environments: EnvironmentSet,
  sizes: CostEstimator,
): CompiledMessage {
  const failed = (error: string): CompiledMessage => ({ error, maxCost: 0 });
  const environment = scope.isStored(expression, "messageExpression") ? environments.forStored : environments.forNew;
  const compiled = environment.compile(expression);
  if (!compiled.ok) return failed(`messageExpression compilation failed: ${compiled.message}`);
  if (compiled.type.kind !== "string") return failed("messageExpression must evaluate to a string");
  // Upstream binds a plain `oldSelf` here, even where the rule's own is optional.
  const made = makeProgram(environment, compiled.checked, scope.schema, false);
  if (typeof made === "string") return failed(`messageExpression instantiation failed: ${made}`);
  return { program: made, maxCost: Number(environment.estimateCost(compiled.checked, sizes).max) };
}

const refersToOldSelf = ({ references }: CheckedExpr): boolean =>
  [...references.values()].some(({ name }) => name === "oldSelf");

/** The program, or why a constant part of the expression fails. */
function makeProgram(
  environment: Environment,
  checked: CheckedExpr,
  schema: Structural,
  isOptional: boolean,
): RuleProgram | string {
  try {
    const program = environment.program(checked, { costLimit: perCallCostLimit });
    return {
      evaluate(self, old) {
        const outcome = program.evaluate(bindings(schema, self, old, isOptional));
        return outcome.ok
          ? { cost: outcome.cost, value: outcome.value }
          : { cost: outcome.cost, error: outcome.error.message };
      },
    };
  } catch (err) {
    if (err instanceof ProgramError) return err.message;
    throw err;
  }
}

function bindings(schema: Structural, self: unknown, old: unknown, isOptional: boolean): Map<string, Value> {
  const values = new Map<string, Value>([["self", schemaToValue(self, schema)]]);
  const oldSelf = old === undefined ? undefined : schemaToValue(old, schema);
  if (isOptional) values.set("oldSelf", new OptionalValue(oldSelf instanceof CelError ? wrapped(oldSelf) : oldSelf));
  else if (oldSelf !== undefined) values.set("oldSelf", oldSelf);
  return values;
}

/** cel-go converts the value of an optional to a CEL value once more, which fails for an error and is reported in these words. */
const wrapped = ({ message }: CelError): CelError =>
  new CelError(`unsupported conversion to ref.Val: (*errors.errorString)${message}`);
