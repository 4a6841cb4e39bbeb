import type { DeepReadonly } from "@coxswain/api";
import type { RoleRef, Subject } from "@coxswain/api/rbac/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkServiceAccountName } from "@coxswain/apimachinery/validation";
import { age } from "../definition/age.js";
import { ageColumn, type Cell, type ColumnDefinition, column, nameColumn } from "../definition/columns.js";
import { checkRbacName } from "./name.js";

/** What role bindings and cluster role bindings have in common. */
export interface Binding {
  readonly metadata: { readonly name?: string; readonly creationTimestamp?: string | null };
  readonly roleRef: DeepReadonly<RoleRef>;
  readonly subjects?: readonly DeepReadonly<Subject>[];
}

const group = "rbac.authorization.k8s.io";

export function setBindingDefaults({ roleRef, subjects = [] }: { roleRef: RoleRef; subjects?: Subject[] }): void {
  roleRef.apiGroup ||= group;
  for (const subject of subjects) if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= group;
}

export function checkBinding(
  { roleRef, subjects = [] }: Binding,
  kinds: readonly string[],
  namespaced: boolean,
): FieldError[] {
  const path = fieldPath("roleRef");
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== group) errors.push(notSupported(path.child("apiGroup"), roleRef.apiGroup ?? "", [group]));
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported(path.child("kind"), roleRef.kind, kinds));
  if (roleRef.name === "") errors.push(required(path.child("name")));
  else
    append(
      errors,
      checkRbacName(roleRef.name).map((problem) => invalid(path.child("name"), roleRef.name, problem)),
    );
  return [
    ...errors,
    ...subjects.flatMap((subject, at) => checkSubject(subject, namespaced, fieldPath("subjects").index(at))),
  ];
}

function checkSubject(
  { kind, apiGroup = "", name, namespace = "" }: DeepReadonly<Subject>,
  namespaced: boolean,
  path: FieldPath,
): FieldError[] {
  const errors = name === "" ? [required(path.child("name"))] : [];
  switch (kind) {
    case "ServiceAccount":
      if (name !== "")
        append(
          errors,
          checkServiceAccountName(name).map((problem) => invalid(path.child("name"), name, problem)),
        );
      if (apiGroup !== "") errors.push(notSupported(path.child("apiGroup"), apiGroup, [""]));
      if (!namespaced && namespace === "") errors.push(required(path.child("namespace")));
      return errors;
    case "User":
    case "Group":
      return apiGroup === group ? errors : [...errors, notSupported(path.child("apiGroup"), apiGroup, [group])];
    default:
      return [...errors, notSupported(path.child("kind"), kind, ["ServiceAccount", "User", "Group"])];
  }
}

/** A user that may change a binding must not gain another role by it: a new role needs a new binding. */
export const checkRoleStays = (next: Binding, old: Binding): FieldError[] =>
  equalJson(next.roleRef, old.roleRef)
    ? []
    : [
        invalid(
          fieldPath("roleRef"),
          { APIGroup: next.roleRef.apiGroup, Kind: next.roleRef.kind, Name: next.roleRef.name },
          "cannot change roleRef",
        ),
      ];

export const bindingColumns: readonly ColumnDefinition[] = [
  nameColumn,
  column("Role", "string", "The role it grants."),
  ageColumn,
  column("Users", "string", "The users who get it.", 1),
  column("Groups", "string", "The groups that get it.", 1),
  column("ServiceAccounts", "string", "The service accounts that get it.", 1),
];

export function bindingCells({ metadata, roleRef, subjects = [] }: Binding, now: number): Cell[] {
  const names = (wanted: string, text: (subject: DeepReadonly<Subject>) => string): string =>
    subjects
      .filter(({ kind }) => kind === wanted)
      .map(text)
      .join(", ");
  return [
    metadata.name ?? "",
    `${roleRef.kind}/${roleRef.name}`,
    age(metadata.creationTimestamp, now),
    names("User", ({ name }) => name),
    names("Group", ({ name }) => name),
    names("ServiceAccount", ({ name, namespace = "" }) => `${namespace}/${name}`),
  ];
}
