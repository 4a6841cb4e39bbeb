import type { DeepReadonly } from "@coxswain/api";
import type { FlowSchemaSpec, PolicyRulesWithSubjects, Subject } from "@coxswain/api/flowcontrol/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { asGiven, equalJson } from "@coxswain/apimachinery/json";
import { checkNamespaceName, checkServiceAccountName, nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkPresent, problemsAt } from "../../checks/field-errors.js";
import { checkObjectMeta } from "../../checks/object-meta.js";
import { checkConditionTypes } from "../conditions.js";
import { mandatoryFlowSchemas } from "./mandatory.js";
import { checkNonResourceRule, checkResourceRule } from "./rule-validation.js";
import type { StoredFlowSchema } from "./stored.js";

type Schema = DeepReadonly<StoredFlowSchema>;
type Spec = DeepReadonly<FlowSchemaSpec>;

const specPath = fieldPath("spec");
const highestPrecedence = 10_000;

export function checkFlowSchema({ metadata, spec, status }: Schema): FieldError[] {
  const { name = "" } = metadata;
  const errors = [...checkObjectMeta(metadata, { namespaced: false }), ...checkSpec(name, spec)];
  const fixed = mandatoryFlowSchemas.get(name);
  if (fixed && !equalJson(spec, fixed))
    errors.push(invalid(specPath, printed(spec), `spec of '${name}' must equal the fixed value`));
  return [...errors, ...checkConditionTypes(status.conditions ?? [])];
}

function checkSpec(
  name: string,
  {
    matchingPrecedence: precedence = 0,
    distinguisherMethod: method,
    priorityLevelConfiguration: level,
    rules = [],
  }: Spec,
): FieldError[] {
  const path = specPath.child("matchingPrecedence");
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(invalid(path, precedence, "must be a positive value"));
  if (precedence > highestPrecedence)
    errors.push(invalid(path, precedence, `must not be greater than ${highestPrecedence}`));
  if (precedence === 1 && name !== "exempt")
    errors.push(invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  if (method && method.type !== "ByNamespace" && method.type !== "ByUser")
    errors.push(
      notSupported(specPath.child("distinguisherMethod", "type"), { Type: method.type }, ["ByNamespace", "ByUser"]),
    );
  const levelPath = specPath.child("priorityLevelConfiguration", "name");
  append(
    errors,
    level.name === ""
      ? [required(levelPath, "must reference a priority level")]
      : problemsAt(levelPath, level.name, nameIsDnsSubdomain(level.name)),
  );
  return [...errors, ...rules.flatMap((rule, at) => checkRule(rule, specPath.child("rules").index(at)))];
}

function checkRule(
  { subjects, resourceRules = [], nonResourceRules = [] }: DeepReadonly<PolicyRulesWithSubjects>,
  path: FieldPath,
): FieldError[] {
  const list = subjects ?? [];
  const errors = list.flatMap((subject, at) => checkSubject(subject, path.child("subjects").index(at)));
  if (list.length === 0) errors.push(required(path.child("subjects"), "subjects must contain at least one value"));
  if (resourceRules.length === 0 && nonResourceRules.length === 0)
    errors.push(required(path, "at least one of resourceRules and nonResourceRules has to be non-empty"));
  return [
    ...errors,
    ...resourceRules.flatMap((rule, at) => checkResourceRule(rule, path.child("resourceRules").index(at))),
    ...nonResourceRules.flatMap((rule, at) => checkNonResourceRule(rule, path.child("nonResourceRules").index(at))),
  ];
}

const memberOf = { ServiceAccount: "serviceAccount", User: "user", Group: "group" } as const;
const kinds = ["ServiceAccount", "User", "Group"] as const;

/** A subject is described in the member of its kind, and in no other. */
function checkSubject(subject: DeepReadonly<Subject>, path: FieldPath): FieldError[] {
  const kind = kinds.find((one) => one === subject.kind);
  if (!kind) return [notSupported(path.child("kind"), namedText(subject.kind), ["Group", "ServiceAccount", "User"])];
  const member = memberOf[kind];
  const own = subject[member]
    ? checkNames(subject, member, path.child(member))
    : [required(path.child(member), `${member} is required when subject kind is '${kind}'`)];
  const others = kinds.filter((other) => other !== kind && subject[memberOf[other]]);
  return [
    ...own,
    ...others.map((other) =>
      forbidden(path.child(memberOf[other]), `${memberOf[other]} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

function checkNames(
  { serviceAccount, user, group }: DeepReadonly<Subject>,
  member: string,
  path: FieldPath,
): FieldError[] {
  if (member !== "serviceAccount") return [...checkPresent((member === "user" ? user : group)?.name, path, "name")];
  const { name = "", namespace = "" } = serviceAccount ?? {};
  return [
    ...(name === ""
      ? [required(path.child("name"))]
      : name === "*"
        ? []
        : problemsAt(path.child("name"), name, checkServiceAccountName(name))),
    ...(namespace === ""
      ? [required(path.child("namespace"), "must specify namespace for service account")]
      : problemsAt(path.child("namespace"), namespace, checkNamespaceName(namespace))),
  ];
}

/** As Go prints its own form. */
const printed = ({ priorityLevelConfiguration, matchingPrecedence, distinguisherMethod, rules }: Spec): unknown => ({
  PriorityLevelConfiguration: { Name: priorityLevelConfiguration.name },
  MatchingPrecedence: matchingPrecedence ?? 0,
  DistinguisherMethod: distinguisherMethod ? { Type: distinguisherMethod.type } : null,
  Rules:
    rules?.map((each) => ({
      Subjects:
        each.subjects?.map(({ kind, user, group, serviceAccount }) => ({
          Kind: kind,
          User: user ? { Name: user.name } : null,
          Group: group ? { Name: group.name } : null,
          ServiceAccount: serviceAccount ? { Namespace: serviceAccount.namespace, Name: serviceAccount.name } : null,
        })) ?? null,
      ResourceRules:
        each.resourceRules?.map((rule) => ({
          Verbs: rule.verbs ?? null,
          APIGroups: rule.apiGroups ?? null,
          Resources: rule.resources ?? null,
          ClusterScope: rule.clusterScope ?? false,
          Namespaces: asGiven(rule, "namespaces", []),
        })) ?? asGiven(each, "resourceRules", []),
      NonResourceRules:
        each.nonResourceRules?.map((rule) => ({
          Verbs: rule.verbs ?? null,
          NonResourceURLs: rule.nonResourceURLs ?? null,
        })) ?? asGiven(each, "nonResourceRules", []),
    })) ?? null,
});
