import type { DeepReadonly } from "@coxswain/api";
import type { IngressClassParametersReference } from "@coxswain/api/networking/v1";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  notSupported,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import {
  checkDnsSubdomain,
  checkNamespaceName,
  utf8Length,
  validateDomainPrefixedPath,
} from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkSegment } from "../ingress/validation.js";
import type { StoredIngressClass } from "./stored.js";

type ReadClass = DeepReadonly<StoredIngressClass>;

const specPath = fieldPath("spec");
const longestController = 250;

export function checkIngressClass({ metadata, spec }: ReadClass): FieldError[] {
  const { controller = "", parameters } = spec;
  const path = specPath.child("controller");
  return [
    ...checkObjectMeta(metadata, { namespaced: false }),
    ...(utf8Length(controller) > longestController ? [tooLong(path, longestController)] : []),
    ...validateDomainPrefixedPath(controller, path),
    ...(parameters ? checkParameters(parameters, specPath.child("parameters")) : []),
  ];
}

export const checkIngressClassUpdate = (next: ReadClass, old: ReadClass): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(
    next.spec.controller,
    old.spec.controller,
    specPath.child("controller"),
    next.spec.controller ?? "",
  ),
  ...checkIngressClass(next),
];

function checkParameters(
  { apiGroup, kind, name, scope, namespace }: DeepReadonly<IngressClassParametersReference>,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...(apiGroup === undefined ? [] : problemsAt(path.child("apiGroup"), apiGroup, checkDnsSubdomain(apiGroup))),
    ...checkSegment(kind, path.child("kind")),
    ...checkSegment(name, path.child("name")),
  ];
  const at = path.child("namespace");
  switch (scope) {
    case undefined:
    case null:
      return [...errors, required(path.child("scope"))];
    case "Namespace":
      return [
        ...errors,
        ...(namespace === undefined
          ? [required(at, "`parameters.scope` is set to 'Namespace'")]
          : problemsAt(at, namespace, checkNamespaceName(namespace))),
      ];
    case "Cluster":
      return namespace === undefined ? errors : [...errors, forbidden(at, "`parameters.scope` is set to 'Cluster'")];
    default:
      return [...errors, notSupported(path.child("scope"), scope, ["Cluster", "Namespace"])];
  }
}
