import { typeText } from "../admission/compile-expression.js";
import { type Environment } from "../environment/environment.js";
import {
  type DeclaredType,
  declaredList,
  declaredMap,
  declaredNamed,
  declaredString,
} from "../kubernetes/declared-type.js";
import { declaredTypeProvider } from "../kubernetes/declared-types.js";
import { createBaseEnvironments } from "../kubernetes/environments.js";
import { jsonToValue } from "../kubernetes/json-value.js";
import { type AccessCompilation, compileAccessExpression } from "./access-expression.js";

/** The spec of a SubjectAccessReview. */
export interface ReviewSpec {
  readonly resourceAttributes?: {
    readonly fieldSelector?: ReviewSelector;
    readonly labelSelector?: ReviewSelector;
  };
  readonly nonResourceAttributes?: object;
}

interface ReviewSelector {
  readonly requirements?: readonly object[];
}

const text = declaredString();
const texts = declaredList(text, 0);
const fieldsOf = (...names: string[]): Record<string, DeclaredType> =>
  Object.fromEntries(names.map((name) => [name, text]));

const requirement = declaredNamed("kubernetes.SelectorRequirement", { ...fieldsOf("key", "operator"), values: texts });
const selector = (name: string): DeclaredType =>
  declaredNamed(`kubernetes.${name}`, { rawSelector: text, requirements: declaredList(requirement, 0) });
const attributeNames = ["namespace", "verb", "group", "version", "resource", "subresource", "name"];

const requestType = declaredNamed("kubernetes.SubjectAccessReviewSpec", {
  resourceAttributes: declaredNamed("kubernetes.ResourceAttributes", {
    ...fieldsOf(...attributeNames),
    fieldSelector: selector("FieldSelectorAttributes"),
    labelSelector: selector("LabelSelectorAttributes"),
  }),
  nonResourceAttributes: declaredNamed("kubernetes.NonResourceAttributes", fieldsOf("path", "verb")),
  user: text,
  groups: texts,
  extra: declaredMap(texts, 0),
  uid: text,
});

let known: Environment | undefined;

/** A match condition of a webhook that authorizes: an expression about `request`. */
export function compileReviewCondition(expression: string): AccessCompilation<ReviewSpec> {
  known ??= createBaseEnvironments().forStored.extend({
    variables: { request: requestType.type },
    providers: [declaredTypeProvider([requestType])],
  });
  return compileAccessExpression(
    { environment: known, variable: "request", toValue: (spec) => jsonToValue(completeSpec(spec)) },
    expression,
    (type) => (type.kind === "bool" ? undefined : `must evaluate to bool but got ${typeText(type)}`),
  );
}

/** What JSON leaves out for being empty is there, and empty; only which attributes there are can be asked by has(). */
function completeSpec({ resourceAttributes, nonResourceAttributes, ...who }: ReviewSpec): object {
  return {
    user: "",
    uid: "",
    groups: [],
    extra: {},
    ...who,
    ...(resourceAttributes && { resourceAttributes: completeAttributes(resourceAttributes) }),
    ...(nonResourceAttributes && { nonResourceAttributes: { path: "", verb: "", ...nonResourceAttributes } }),
  };
}

function completeAttributes({
  fieldSelector,
  labelSelector,
  ...names
}: NonNullable<ReviewSpec["resourceAttributes"]>): object {
  return {
    ...Object.fromEntries(attributeNames.map((name) => [name, ""])),
    ...names,
    ...(fieldSelector && { fieldSelector: completeSelector(fieldSelector) }),
    ...(labelSelector && { labelSelector: completeSelector(labelSelector) }),
  };
}

const completeSelector = ({ requirements, ...selected }: ReviewSelector): object => ({
  ...selected,
  ...(requirements && { requirements: requirements.map((one) => ({ values: [], ...one })) }),
});
