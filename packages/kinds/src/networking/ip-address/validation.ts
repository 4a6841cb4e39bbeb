import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, required } from "@coxswain/apimachinery/field";
import { checkDnsSubdomain, checkPathSegmentName, type NameCheck, validateIp } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkSegment } from "../ingress/validation.js";
import type { StoredIpAddress } from "./stored.js";

type Address = DeepReadonly<StoredIpAddress>;

const path = fieldPath("spec", "parentRef");

/** Its name is the address, in its one canonical form. */
const checkName: NameCheck = (name) => validateIp(name, undefined).map(({ detail }) => detail);

export function checkIpAddress({ metadata, spec: { parentRef } }: Address): FieldError[] {
  const errors = checkObjectMeta(metadata, { namespaced: false, checkName });
  if (!parentRef) return [...errors, required(path)];
  const { group = "", resource = "", namespace = "", name = "" } = parentRef;
  return [
    ...errors,
    ...(group === "" ? [] : problemsAt(path.child("group"), group, checkDnsSubdomain(group))),
    ...checkSegment(resource, path.child("resource")),
    ...checkSegment(name, path.child("name")),
    ...(namespace === "" ? [] : problemsAt(path.child("namespace"), namespace, checkPathSegmentName(namespace))),
  ];
}

export const checkIpAddressUpdate = (next: Address, old: Address): FieldError[] => [
  ...checkIpAddress(next),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkImmutable(next.spec.parentRef, old.spec.parentRef, path, printed(next.spec.parentRef)),
];

/** As Go prints its own form. */
const printed = (parent: Address["spec"]["parentRef"]): unknown =>
  parent
    ? {
        Group: parent.group ?? "",
        Resource: parent.resource ?? "",
        Namespace: parent.namespace ?? "",
        Name: parent.name ?? "",
      }
    : null;
