import type { DeepReadonly } from "@coxswain/api";
import type { ParamKind, ParamRef } from "@coxswain/api/admissionregistration/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { groupVersionError, parseGroupVersion } from "@coxswain/apimachinery/meta";
import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegmentName,
  validateLabelSelector,
} from "@coxswain/apimachinery/validation";
import { checkOneOf, problemsAt } from "../checks/field-errors.js";

/** Of which kind the objects are that a policy takes its settings from. */
export function checkParamKind({ apiVersion = "", kind = "" }: DeepReadonly<ParamKind>, path: FieldPath): FieldError[] {
  const problems = checkDns1035Label(kind.toLowerCase());
  const errors = checkApiVersion(apiVersion, path.child("apiVersion"));
  if (kind === "") errors.push(required(path.child("kind")));
  else if (problems.length > 0)
    errors.push(
      invalid(path.child("kind"), kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`),
    );
  return errors;
}

function checkApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === "") return [required(path)];
  const parsed = parseGroupVersion(apiVersion);
  if (!parsed) return [invalid(path, apiVersion, groupVersionError(apiVersion))];
  const { group, version } = parsed;
  const ofGroup = group === "" ? [] : joined(path, group, checkDnsSubdomain(group));
  return [
    ...ofGroup,
    ...(version === ""
      ? [invalid(path, apiVersion, "version must be specified")]
      : joined(path, version, checkDns1035Label(version))),
  ];
}

const joined = (path: FieldPath, value: string, problems: readonly string[]): FieldError[] =>
  problems.length > 0 ? [invalid(path, value, problems.join(","))] : [];

/** Which of these objects a binding takes: one by name, or those that a selector selects. */
export function checkParamRef(
  { name = "", selector, parameterNotFoundAction: action }: DeepReadonly<ParamRef>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const both = name !== "" && selector !== undefined;
  if (name !== "") append(errors, problemsAt(path.child("name"), name, checkPathSegmentName(name)));
  if (both) errors.push(forbidden(path.child("name"), "name and selector are mutually exclusive"));
  append(errors, validateLabelSelector(selector, path.child("selector")));
  if (both) errors.push(forbidden(path.child("selector"), "name and selector are mutually exclusive"));
  if (name === "" && selector === undefined) errors.push(required(path, "one of name or selector must be specified"));
  return [
    ...errors,
    ...(action
      ? checkOneOf(action, ["Deny", "Allow"], path.child("parameterNotFoundAction"))
      : [required(path.child("parameterNotFoundAction"))]),
  ];
}
