import { type TypeProvider } from "../declarations/type-provider.js";
import { authorizerType } from "../kubernetes/authorizer.js";
import { type DeclaredType, nameTypes } from "../kubernetes/declared-type.js";
import { declaredTypeProvider } from "../kubernetes/declared-types.js";
import { createBaseEnvironments } from "../kubernetes/environments.js";
import { dynType, objectType, type Type } from "../types/type.js";
import { variablesTypeName, variableType } from "./policy-variables.js";
import { namespaceType, requestType } from "./variable-types.js";

/** The expressions of a ValidatingAdmissionPolicy that are checked. */
export interface CheckedExpressions {
  readonly validations: readonly { readonly expression: string; readonly messageExpression?: string }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
}

/** A kind that the policy may see. */
export interface CheckedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: DeclaredType;
}

export interface TypesToCheck {
  /** In order of group, version and kind; ten at most. */
  readonly kinds: readonly CheckedKind[];
  /** Left out where the policy has no parameters; without a type where theirs is not known. */
  readonly params?: { readonly kind: string; readonly type: DeclaredType | undefined };
}

/** As a policy's status has it. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/**
 * What is wrong with the expressions of a policy if objects are of the kinds that it is for. Policies run whatever this
 * finds: a field that a schema does not know may be there all the same.
 */
export function checkExpressionTypes(
  { validations, variables }: CheckedExpressions,
  { kinds, params }: TypesToCheck,
): ExpressionWarning[] {
  const environments = kinds.map((kind) => ({ kind, check: createChecker(kind, params, variables) }));
  const warningsOf = (expression: string, fieldRef: string): ExpressionWarning[] => {
    const texts = environments.flatMap(({ kind, check }) => {
      const problem = check(expression);
      return problem === undefined ? [] : [`${kind.group}/${kind.version}, Kind=${kind.kind}: ${problem}\n`];
    });
    return texts.length === 0 ? [] : [{ fieldRef, warning: texts.join("\n") }];
  };
  return validations.flatMap(({ expression, messageExpression = "" }, index) => [
    ...warningsOf(expression, `spec.validations[${index}].expression`),
    ...(messageExpression === "" ? [] : warningsOf(messageExpression, `spec.validations[${index}].messageExpression`)),
  ]);
}

/** @returns what is wrong with an expression; undefined: nothing */
function createChecker(
  { kind, type }: CheckedKind,
  params: TypesToCheck["params"],
  variables: CheckedExpressions["variables"],
): (expression: string) => string | undefined {
  const object = nameTypes(type, kind);
  const paramType = params?.type && nameTypes(params.type, `${params.kind}Params`);
  const known = new Map<string, Type>();
  const variableTypes: TypeProvider = {
    findType: (name) => (name === variablesTypeName ? objectType(name) : undefined),
    findField: (typeName, field) => (typeName === variablesTypeName ? known.get(field) : undefined),
  };
  const { forStored } = createBaseEnvironments().extend({
    variables: {
      object: object.type,
      oldObject: object.type,
      namespaceObject: namespaceType.type,
      request: requestType.type,
      authorizer: authorizerType,
      variables: objectType(variablesTypeName),
      ...(params && { params: paramType?.type ?? dynType }),
    },
    providers: [
      declaredTypeProvider([object, namespaceType, requestType, ...(paramType ? [paramType] : [])]),
      variableTypes,
    ],
  });
  for (const { name, expression } of variables) {
    const compiled = forStored.compile(expression);
    known.set(name, compiled.ok ? variableType(compiled.type) : dynType);
  }
  return (expression) => {
    const compiled = forStored.compile(expression);
    return compiled.ok ? undefined : compiled.message;
  };
}
