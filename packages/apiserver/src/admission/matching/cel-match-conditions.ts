import { boolType, dynType, type Environment, type Program, stringType } from "@coxswain/cel";
import {
  celLimits,
  createBaseEnvironments,
  type DeclaredType,
  declaredDyn,
  declaredList,
  declaredMap,
  declaredObject,
  declaredTypeProvider,
  jsonToValue,
  nameTypes,
} from "@coxswain/cel/kubernetes";
import type { ConditionInput, ConditionOutcome, MatchConditionCompiler } from "./match-conditions.js";

const text: DeclaredType = { type: stringType, minSize: 2, maxElements: 0 };
const flag: DeclaredType = { type: boolType, minSize: 4, maxElements: 0 };
const object = (fields: Readonly<Record<string, DeclaredType>>): DeclaredType =>
  declaredObject(new Map(Object.entries(fields)));
const kindOf = (name: string): DeclaredType => object({ group: text, version: text, [name]: text });

/** The variable `request`: an AdmissionRequest without its objects. */
const requestType = nameTypes(
  object({
    kind: kindOf("kind"),
    resource: kindOf("resource"),
    subResource: text,
    requestKind: kindOf("kind"),
    requestResource: kindOf("resource"),
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: object({
      username: text,
      uid: text,
      groups: declaredList(text, 0),
      extra: declaredMap(declaredList(text, 0), 0),
    }),
    dryRun: flag,
    options: declaredDyn,
  }),
  "kubernetes.AdmissionRequest",
);

/** Match conditions in CEL, with the variables `object`, `oldObject` and `request`. */
export function createCelConditionCompiler(
  environment: Environment = createBaseEnvironments().forStored,
): MatchConditionCompiler {
  const extended = environment.extend({
    variables: { object: dynType, oldObject: dynType, request: requestType.type },
    providers: [declaredTypeProvider([requestType])],
  });
  return {
    compile(conditions) {
      const compiled = conditions.map(({ name, expression }) => ({
        name,
        expression,
        ...compile(extended, expression),
      }));
      return {
        evaluate(input) {
          const bindings = bindingsOf(input);
          let remaining: number = celLimits.matchConditions;
          return compiled.map(({ name, expression, program, error }): ConditionOutcome => {
            if (!program) return { name, error: `compilation error: ${error}` };
            const evaluation = program.evaluate(bindings, { costLimit: Math.min(remaining, celLimits.perCall) });
            if (
              evaluation.cost > remaining ||
              (!evaluation.ok && evaluation.isCostLimit && remaining < celLimits.perCall)
            )
              throw new Error(
                "validation failed due to running out of cost budget, no further validation rules will be run",
              );
            remaining -= evaluation.cost;
            return evaluation.ok
              ? { name, holds: evaluation.value !== false }
              : { name, error: `expression '${expression}' resulted in error: ${evaluation.error.message}` };
          });
        },
      };
    },
  };
}

function compile(environment: Environment, expression: string): { program?: Program; error?: string } {
  const compilation = environment.compile(expression);
  if (!compilation.ok) return { error: `compilation failed: ${compilation.message}` };
  return { program: environment.program(compilation.checked, { costLimit: celLimits.perCall }) };
}

const bindingsOf = ({ object, old, request }: ConditionInput): ReadonlyMap<string, ReturnType<typeof jsonToValue>> =>
  new Map([
    ["object", jsonToValue(object ?? null)],
    ["oldObject", jsonToValue(old ?? null)],
    ["request", jsonToValue(request)],
  ]);
