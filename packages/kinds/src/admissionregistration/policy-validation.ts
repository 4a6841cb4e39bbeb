import type { DeepReadonly } from "@coxswain/api";
import type { MatchResources, MutatingAdmissionPolicySpec, Variable } from "@coxswain/api/admissionregistration/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import type { Steps } from "@coxswain/runtime/steps";
import type { ExpressionChecks } from "./expression-checks.js";
import { checkFailurePolicy, checkMatchConditions, checkMatchResources } from "./match-validation.js";
import { checkParamKind } from "./param-validation.js";

/** What policies that change objects and those that refuse them have in common. */
type PolicySpec = DeepReadonly<
  Pick<
    MutatingAdmissionPolicySpec,
    "failurePolicy" | "paramKind" | "matchConstraints" | "matchConditions" | "variables"
  >
>;

const specPath = fieldPath("spec");

/** `checkMatched`: what else is asked of the requests that are matched. */
export function* checkPolicy(
  { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] }: PolicySpec,
  old: PolicySpec | undefined,
  checks: ExpressionChecks,
  checkMatched: (resources: DeepReadonly<MatchResources>) => FieldError[] = () => [],
): Steps<FieldError[]> {
  const sameConditions =
    old !== undefined && equalJson(old.paramKind, paramKind) && equalJson(old.matchConditions ?? [], matchConditions);
  const errors = [
    ...(failurePolicy === undefined
      ? [required(specPath.child("failurePolicy"))]
      : checkFailurePolicy(failurePolicy, specPath.child("failurePolicy"))),
    ...(paramKind ? checkParamKind(paramKind, specPath.child("paramKind")) : []),
    ...(matchConstraints
      ? [...checkConstraints(matchConstraints, specPath.child("matchConstraints")), ...checkMatched(matchConstraints)]
      : [required(specPath.child("matchConstraints"))]),
  ];
  if (!sameConditions)
    append(errors, yield* checkMatchConditions(matchConditions, specPath.child("matchConditions"), checks));
  for (const [at, variable] of variables.entries())
    append(errors, yield* checkVariable(variable, specPath.child("variables").index(at), checks));
  return errors;
}

/** Without a rule there is no type to check expressions by. */
const checkConstraints = (resources: DeepReadonly<MatchResources>, path: FieldPath): FieldError[] => [
  ...checkMatchResources(resources, path),
  ...((resources.resourceRules ?? []).length === 0 ? [required(path.child("resourceRules"))] : []),
];

const reservedWords = new Set([
  "true",
  "false",
  "null",
  "in",
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

function* checkVariable(
  { name, expression }: DeepReadonly<Variable>,
  path: FieldPath,
  checks: ExpressionChecks,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (name.trim() === "") errors.push(required(path.child("name"), "name is not specified"));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reservedWords.has(name))
    errors.push(invalid(path.child("name"), name, "must be a valid CEL identifier"));
  if (expression.trim() === "") errors.push(required(path.child("expression"), "expression is not specified"));
  else append(errors, yield* checks.variable(name, expression, path.child("expression")));
  return errors;
}

/** The expressions that all kinds of policies have, of the object that is replaced. */
export const storedConditions = (old: PolicySpec | undefined): ReadonlySet<string> =>
  new Set((old?.matchConditions ?? []).map(({ expression }) => expression));
