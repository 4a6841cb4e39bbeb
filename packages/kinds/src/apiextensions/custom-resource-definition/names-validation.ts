import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionNames } from "@coxswain/api/apiextensions/v1";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { checkDns1035Label } from "@coxswain/apimachinery/validation";

export function checkNames(
  { plural, singular, kind, listKind, shortNames, categories }: DeepReadonly<CustomResourceDefinitionNames>,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...checkLabel(plural || undefined, path.child("plural")),
    ...checkLabel(singular || undefined, path.child("singular")),
    ...checkKind(kind, path.child("kind")),
    ...checkKind(listKind, path.child("listKind")),
    ...(shortNames ?? []).flatMap((name, at) => checkLabel(name, path.child("shortNames").index(at))),
  ];
  if (kind && kind === listKind)
    errors.push(invalid(path.child("listKind"), listKind, "kind and listKind may not be the same"));
  return [
    ...errors,
    ...(categories ?? []).flatMap((category, at) => checkLabel(category, path.child("categories").index(at))),
  ];
}

export function checkLabel(text: string | undefined, path: FieldPath): FieldError[] {
  const problems = text === undefined ? [] : checkDns1035Label(text);
  return problems.length > 0 ? [invalid(path, text, problems.join(","))] : [];
}

function checkKind(text: string | undefined, path: FieldPath): FieldError[] {
  const problems = text ? checkDns1035Label(text.toLowerCase()) : [];
  return problems.length > 0
    ? [invalid(path, text, `may have mixed case, but should otherwise match: ${problems.join(",")}`)]
    : [];
}
