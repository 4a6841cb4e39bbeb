import { checkNamespaceName, checkServiceAccountName } from "@coxswain/apimachinery/validation";
import { costs } from "../cost/factors.js";
import {
  addEstimates,
  type CallEstimator,
  type Estimate,
  fixed,
  multiplyByFactor,
  sizeOfNode,
} from "../declarations/estimate.js";
import { declareFunction, type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, objectType, stringType, type Type } from "../types/type.js";
import { sizeOf } from "../values/type-of.js";
import { CelError, OpaqueValue, type Value } from "../values/value.js";

/** Whose access is checked. */
export interface AccessUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** One access check: of a path, or of a resource. Members of the other are "". */
export interface AccessQuestion {
  readonly user: AccessUser;
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As the expression wrote them; "" for none. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessAnswer {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/**
 * Decides access while an expression is evaluated, so it answers at once. One that has to wait throws whatever its caller
 * recognises: nothing within an evaluation catches it.
 */
export type CheckAccess = (question: AccessQuestion) => AccessAnswer;

export const authorizerType = objectType("kubernetes.authorization.Authorizer");
export const resourceCheckType = objectType("kubernetes.authorization.ResourceCheck");
const pathCheckType = objectType("kubernetes.authorization.PathCheck");
const groupCheckType = objectType("kubernetes.authorization.GroupCheck");
const decisionType = objectType("kubernetes.authorization.Decision");

/** A value with functions and without fields. Upstream cannot compare such values, not even with themselves. */
class Receiver<State> extends OpaqueValue {
  readonly type: Type;
  readonly state: State;
  constructor(type: Type, state: State) {
    super();
    this.type = type;
    this.state = state;
  }
  override canEqual(): boolean {
    return false;
  }
  equals(): boolean {
    return false;
  }
  toString(): string {
    return this.type.name;
  }
}

type Draft = AccessQuestion & { readonly check: CheckAccess };

const nothing = {
  verb: "",
  isResource: false,
  path: "",
  group: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  fieldSelector: "",
  labelSelector: "",
};

/** The variable `authorizer`. */
export const authorizerValue = (user: AccessUser, check: CheckAccess): Value =>
  new Receiver<Draft>(authorizerType, { ...nothing, user, check });

/** The variable `authorizer.requestResource`. */
export const resourceCheckValue = (
  user: AccessUser,
  check: CheckAccess,
  about: Pick<AccessQuestion, "group" | "resource" | "subresource" | "namespace" | "name">,
): Value => new Receiver<Draft>(resourceCheckType, { ...nothing, ...about, isResource: true, user, check });

const stateOf = <State = Draft>(value: Value): State => (value as Receiver<State>).state;

/** A function that adds one thing to a question. */
const step = (
  name: string,
  { id, on, result, add }: { id: string; on: Type; result: Type; add: (text: string) => object | CelError },
  costsOf: Pick<Overload, "estimateCost" | "trackCost"> = {},
): FunctionDeclaration =>
  declareFunction(name, {
    id,
    args: [on, stringType],
    result,
    isMember: true,
    implementation(target, text) {
      const added = add(text as string);
      return added instanceof CelError ? added : new Receiver(result, { ...stateOf(target), ...added });
    },
    ...costsOf,
  });

const isBlank = (text: string): boolean => text.trim() === "";

const asServiceAccount = (target: Value, namespace: string, name: string): Value => {
  if (checkServiceAccountName(name, false).length > 0) return new CelError("Invalid service account name");
  if (checkNamespaceName(namespace, false).length > 0) return new CelError("Invalid service account namespace");
  const user: AccessUser = {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
  return new Receiver(authorizerType, { ...stateOf(target), user });
};

/** Two checks are about what one expression may do: its limit is a million. */
const checkCost = 350_000;

const checkOverload = (id: string, on: Type): Overload => ({
  id,
  args: [on, stringType],
  result: decisionType,
  isMember: true,
  implementation(target, verb) {
    const { check, ...question } = stateOf(target);
    return new Receiver(decisionType, check({ ...question, verb: verb as string }));
  },
  estimateCost: () => ({ cost: fixed(checkCost) }),
  trackCost: () => checkCost,
});

const read = (name: string, result: Type, member: (answer: AccessAnswer) => Value): FunctionDeclaration =>
  declareFunction(name, {
    id: `decision_${name}`,
    args: [decisionType],
    result,
    isMember: true,
    implementation: (decision) => member(stateOf<AccessAnswer>(decision)),
  });

/** Kubernetes' functions of the variable `authorizer`. Since 1.27. */
export const authorizerLibrary: Library = {
  name: "kubernetes.authz",
  functions: [
    step("path", {
      id: "authorizer_path",
      on: authorizerType,
      result: pathCheckType,
      add: (path) => (isBlank(path) ? new CelError("path must not be empty") : { path }),
    }),
    step("group", {
      id: "authorizer_group",
      on: authorizerType,
      result: groupCheckType,
      add: (group) => ({ group }),
    }),
    declareFunction("serviceAccount", {
      id: "authorizer_serviceaccount",
      args: [authorizerType, stringType, stringType],
      result: authorizerType,
      isMember: true,
      implementation: (target, namespace, name) =>
        asServiceAccount(target as Value, namespace as string, name as string),
    }),
    step("resource", {
      id: "groupcheck_resource",
      on: groupCheckType,
      result: resourceCheckType,
      add: (resource) =>
        isBlank(resource) ? new CelError("resource must not be empty") : { resource, isResource: true },
    }),
    ...(["subresource", "namespace", "name"] as const).map((member) =>
      step(member, {
        id: `resourcecheck_${member}`,
        on: resourceCheckType,
        result: resourceCheckType,
        add: (text) => ({ [member]: text }),
      }),
    ),
    declareFunction(
      "check",
      checkOverload("pathcheck_check", pathCheckType),
      checkOverload("resourcecheck_check", resourceCheckType),
    ),
    read("errored", boolType, ({ error }) => error !== undefined),
    read("error", stringType, ({ error }) => error ?? ""),
    read("allowed", boolType, ({ isAllowed }) => isAllowed),
    read("reason", stringType, ({ reason }) => reason),
  ],
};

/** The shortest requirement with a value is two characters, and each makes a list and a struct. */
function selectorCost(length: Estimate): Estimate {
  const requirements = multiplyByFactor(multiplyByFactor(length, 0.5), costs.createList + costs.createStruct);
  return addEstimates(
    addEstimates(fixed(costs.createList), multiplyByFactor(length, costs.stringTraversal)),
    requirements,
  );
}

const estimateSelector: CallEstimator = (estimator, _target, [selector]) =>
  selector && { cost: selectorCost(sizeOfNode(estimator, selector)) };

/** Selectors of access checks. Since 1.31, with the gate AuthorizeWithSelectors. */
export const authorizerSelectorsLibrary: Library = {
  name: "kubernetes.authzSelectors",
  functions: (["fieldSelector", "labelSelector"] as const).map((member) =>
    step(
      member,
      {
        id: `authorizer_${member.toLowerCase()}`,
        on: resourceCheckType,
        result: resourceCheckType,
        add: (text) => ({ [member]: text }),
      },
      {
        estimateCost: estimateSelector,
        trackCost: ([, selector]) => Number(selectorCost(fixed(sizeOf(selector as Value))).max),
      },
    ),
  ),
};
