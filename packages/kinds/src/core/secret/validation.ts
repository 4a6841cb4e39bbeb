import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { checkConfigMapKey } from "@coxswain/apimachinery/validation";
import { base64Length } from "../../checks/base64-length.js";
import { textOfBase64 } from "../../checks/base64-text.js";
import { checkImmutable } from "../../checks/immutable.js";
import { jsonObjectProblem } from "../../checks/json-text.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredSecret } from "./stored.js";

/** Of all values together. */
const mostBytes = 1024 * 1024;
const dataPath = fieldPath("data");
const serviceAccountName = "kubernetes.io/service-account.name";

export function checkSecret(secret: DeepReadonly<StoredSecret>): FieldError[] {
  const { metadata, data } = secret;
  const errors = checkObjectMeta(metadata, { namespaced: true });
  let size = 0;
  for (const [key, value] of ownEntries(data)) {
    append(
      errors,
      checkConfigMapKey(key).map((problem) => invalid(dataPath.key(key), key, problem)),
    );
    size += base64Length(value);
  }
  if (size > mostBytes) errors.push(tooLong(dataPath, mostBytes));
  return [...errors, ...checkType(secret)];
}

/** What a secret of a well-known type must hold. */
function checkType({ type, metadata, data }: DeepReadonly<StoredSecret>): FieldError[] {
  const has = (key: string): boolean => getOwn(data, key) !== undefined;
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !has(key)).map((key) => required(dataPath.key(key)));
  switch (type) {
    case "kubernetes.io/service-account-token":
      return getOwn(metadata.annotations, serviceAccountName)
        ? []
        : [required(fieldPath("metadata", "annotations").key(serviceAccountName))];
    case "kubernetes.io/dockercfg":
      return checkJson(".dockercfg", data);
    case "kubernetes.io/dockerconfigjson":
      return checkJson(".dockerconfigjson", data);
    case "kubernetes.io/basic-auth":
      return has("username") || has("password") ? [] : missing("username", "password");
    case "kubernetes.io/ssh-auth":
      return getOwn(data, "ssh-privatekey") ? [] : [required(dataPath.key("ssh-privatekey"))];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function checkJson(key: string, data: DeepReadonly<StoredSecret>["data"]): FieldError[] {
  const value = getOwn(data, key);
  if (value === undefined) return [required(dataPath.key(key))];
  const problem = jsonObjectProblem(textOfBase64(value ?? ""));
  return problem === undefined ? [] : [invalid(dataPath.key(key), "<secret contents redacted>", problem)];
}

export function checkSecretUpdate(next: DeepReadonly<StoredSecret>, old: DeepReadonly<StoredSecret>): FieldError[] {
  const errors = [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkImmutable(next.type, old.type, fieldPath("type"), namedText(next.type ?? "")),
  ];
  if (old.immutable === true) {
    const why = "field is immutable when `immutable` is set";
    if (next.immutable !== true) errors.push(forbidden(fieldPath("immutable"), why));
    if (!equalJson(next.data, old.data)) errors.push(forbidden(fieldPath("data"), why));
  }
  return [...errors, ...checkSecret(next)];
}
