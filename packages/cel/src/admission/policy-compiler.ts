import { type TypeProvider } from "../declarations/type-provider.js";
import { type EnvironmentSet } from "../kubernetes/environments.js";
import { jsonPatchType, mutatedObjectType } from "../kubernetes/mutation-types.js";
import { anyType, boolType, listType, nullType, objectType, stringType, type Type } from "../types/type.js";
import { type CompiledExpression, compileExpression } from "./compile-expression.js";
import { type AdmissionEnvironments, createAdmissionEnvironments, type Declared } from "./expression-environments.js";
import { variablesTypeName, variableType } from "./policy-variables.js";

/** What an expression is for: this decides which types it may be of, and what it may use. */
export type ExpressionUse =
  | "matchCondition"
  | "validation"
  | "message"
  | "auditAnnotation"
  | "applyConfiguration"
  | "jsonPatch";

const returnsOf: Readonly<Record<ExpressionUse, readonly Type[]>> = {
  matchCondition: [boolType],
  validation: [boolType],
  message: [stringType],
  auditAnnotation: [stringType, nullType],
  applyConfiguration: [mutatedObjectType],
  jsonPatch: [listType(jsonPatchType)],
};

export interface CompileOptions {
  readonly params: boolean;
  /** Whether it was accepted before, and may use all there is; a new one may use only what the minor before has too. */
  readonly isStored: boolean;
}

/** Compiles the expressions of one policy. Variables are seen by those that are compiled after them. */
export interface PolicyCompiler {
  /** One that fails is declared all the same, as dyn. */
  addVariable(name: string, expression: string, options: CompileOptions): CompiledExpression;
  compile(use: ExpressionUse, expression: string, options: CompileOptions): CompiledExpression;
  /** Those added so far. */
  readonly variables: ReadonlyMap<string, CompiledExpression>;
}

/** Makes compilers, one for each policy. */
export interface AdmissionCompiler {
  /** For a policy with variables, or without. */
  forPolicy(): PolicyCompiler;
  /** Where no variable can be used: match conditions of new objects and of webhooks. It has no state. */
  readonly plain: Pick<PolicyCompiler, "compile">;
  /** About how long compiling an expression takes, in microseconds. */
  readonly microsFor: (expression: string) => number;
}

export function createAdmissionCompiler(base?: EnvironmentSet): AdmissionCompiler {
  const plain = createAdmissionEnvironments({}, base);
  return {
    plain: { compile: (use, expression, options) => compileFor(plain, use, expression, options) },
    forPolicy: () => createPolicyCompiler(base),
    microsFor: (expression) => 50 + expression.length,
  };
}

function createPolicyCompiler(base: EnvironmentSet | undefined): PolicyCompiler {
  const variables = new Map<string, CompiledExpression>();
  const types: TypeProvider = {
    findType: (name) => (name === variablesTypeName ? objectType(name) : undefined),
    findField(typeName, field) {
      const variable = typeName === variablesTypeName ? variables.get(field) : undefined;
      return variable && variableType(variable.type);
    },
  };
  const environments = createAdmissionEnvironments(
    { variables: { variables: objectType(variablesTypeName) }, providers: [types] },
    base,
  );
  return {
    variables,
    addVariable(name, expression, options) {
      const environment = chooseEnvironment(environments, { params: options.params, authorizer: true }, options);
      const compiled = compileExpression(environment, expression, [anyType]);
      variables.set(name, compiled);
      return compiled;
    },
    compile: (use, expression, options) => compileFor(environments, use, expression, options),
  };
}

function compileFor(
  environments: AdmissionEnvironments,
  use: ExpressionUse,
  expression: string,
  options: CompileOptions,
): CompiledExpression {
  const declared: Declared = {
    params: options.params,
    authorizer: use !== "message",
    patchTypes: use === "applyConfiguration" || use === "jsonPatch",
  };
  return compileExpression(chooseEnvironment(environments, declared, options), expression, returnsOf[use]);
}

const chooseEnvironment = (environments: AdmissionEnvironments, declared: Declared, { isStored }: CompileOptions) => {
  const set = environments(declared);
  return isStored ? set.forStored : set.forNew;
};
