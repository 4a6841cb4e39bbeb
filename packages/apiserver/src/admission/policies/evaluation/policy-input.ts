import type { Namespace } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Value } from "@coxswain/cel";
import { type Budget, createEvaluator, type Evaluator, type PolicyCompiler } from "@coxswain/cel/admission";
import { authorizerValue, jsonToValue, resourceCheckValue } from "@coxswain/cel/kubernetes";
import type { AdmissionAttributes } from "../../admission.js";
import type { Invocation } from "../../matching/find-invocation.js";
import type { RequestedResource } from "../../matching/requested-resource.js";
import type { AccessChecks } from "./access-checks.js";
import { admissionRequest } from "./admission-request.js";

/** What the expressions of a policy are evaluated on. */
export interface PolicyInput {
  readonly attributes: AdmissionAttributes;
  readonly requested: RequestedResource;
  /** In which form the policy sees the request. */
  readonly invocation: Invocation;
  /** The objects in that form. */
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  readonly params: KubernetesObject | undefined;
  /** Undefined for what is in no namespace. */
  readonly namespace: (Namespace & KubernetesObject) | undefined;
  readonly checks: AccessChecks;
}

export interface SeenBy {
  /** @default true */
  readonly authorizer?: boolean;
  /** Match conditions do not see the namespace, and see the resource that was requested. @default false */
  readonly asCondition?: boolean;
}

/** Evaluates expressions of one policy that are of the same use; variables are evaluated anew for each. */
export function evaluatorOf(
  input: PolicyInput,
  { variables }: Pick<PolicyCompiler, "variables">,
  { authorizer = true, asCondition = false }: SeenBy = {},
): Evaluator {
  const { attributes, requested, invocation, checks } = input;
  const { user } = attributes;
  const values: Readonly<Record<string, () => Value>> = {
    object: () => jsonToValue(input.object ?? null),
    oldObject: () => jsonToValue(input.old ?? null),
    params: () => jsonToValue(input.params ?? null),
    namespaceObject: () => jsonToValue(asCondition ? null : shownNamespace(input.namespace)),
    request: () =>
      jsonToValue(
        admissionRequest(attributes, requested, {
          kind: invocation.kind,
          resource: asCondition ? requested.resource : invocation.resource,
        }),
      ),
    ...(authorizer && {
      authorizer: () => authorizerValue(user, checks.check),
      "authorizer.requestResource": () =>
        resourceCheckValue(user, checks.check, {
          group: requested.resource.group,
          resource: requested.resource.resource,
          subresource: requested.subresource,
          namespace: attributes.namespace,
          name: attributes.name,
        }),
    }),
  };
  const known = new Map<string, Value>();
  return createEvaluator({
    bindings: {
      get(name) {
        let value = known.get(name);
        if (value === undefined && Object.hasOwn(values, name)) {
          value = values[name]?.();
          if (value !== undefined) known.set(name, value);
        }
        return value;
      },
    },
    variables,
  });
}

/** Owners and managed fields are not shown. */
function shownNamespace(namespace: PolicyInput["namespace"]): unknown {
  if (!namespace) return null;
  const { metadata, spec, status } = namespace;
  const { ownerReferences: _owners, managedFields: _fields, ...shown } = metadata;
  return { metadata: shown, spec, status };
}

export const newBudget = (limit: number): Budget => ({ remaining: limit });
