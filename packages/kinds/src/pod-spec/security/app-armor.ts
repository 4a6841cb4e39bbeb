import type { DeepReadonly } from "@coxswain/api";
import type { AppArmorProfile, PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  quoteGo,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { checkOneOf } from "../../checks/field-errors.js";
import { isPadded } from "../paths.js";
import { containersOf, everyContainer } from "../visit-containers.js";

export const appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/";
const localhostPrefix = "localhost/";
/** PATH_MAX without its end. */
const longestProfile = 4095;

type Annotations = Readonly<Record<string, string>> | undefined;

export function checkAppArmorProfile(
  { type, localhostProfile }: DeepReadonly<AppArmorProfile>,
  path: FieldPath,
): readonly FieldError[] {
  const at = path.child("localhostProfile");
  if (type === "Localhost") return checkLocalhostProfile(localhostProfile, at);
  if ((type as string) === "") return [required(path.child("type"), "type is required when appArmorProfile is set")];
  const errors = checkOneOf(type, ["Localhost", "RuntimeDefault", "Unconfined"], path.child("type"));
  if (errors.length > 0 || localhostProfile === undefined) return errors;
  return [invalid(at, localhostProfile, "can only be set when AppArmor type is Localhost")];
}

function checkLocalhostProfile(profile: string | undefined, path: FieldPath): FieldError[] {
  const missing = required(path, "must be set when AppArmor type is Localhost");
  if (profile === undefined || profile === "") return [missing];
  const errors = isPadded(profile) ? [invalid(path, profile, "must not be padded with whitespace")] : [];
  return utf8Length(profile) > longestProfile ? [...errors, tooLong(path, longestProfile)] : errors;
}

export function checkAppArmorAnnotations(
  annotations: Annotations,
  spec: DeepReadonly<PodSpec>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, profile] of ownEntries(annotations)) {
    if (!key.startsWith(appArmorAnnotation)) continue;
    const name = key.slice(appArmorAnnotation.length);
    if (!everyContainer(spec).some((container) => container.name === name))
      errors.push(invalid(path.key(key), name, "container not found"));
    if (
      profile === "" ||
      profile === "runtime/default" ||
      profile === "unconfined" ||
      profile.startsWith(localhostPrefix)
    )
      continue;
    errors.push(invalid(path.key(key), profile, `invalid AppArmor profile name: ${quoteGo(profile)}`));
  }
  return errors;
}

/** What an annotation of before 1.30 means as a field; undefined where it means nothing. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const name = annotation.startsWith(localhostPrefix) ? annotation.slice(localhostPrefix.length) : "";
  return name === "" ? undefined : { type: "Localhost", localhostProfile: name };
}

/** Where both are there, field and annotation must agree. Windows has no AppArmor. */
export function checkAppArmorAgrees(
  annotations: Annotations,
  spec: DeepReadonly<PodSpec>,
  specPath: FieldPath,
): FieldError[] {
  if (annotations === undefined || spec.os?.name === "windows") return [];
  const errors: FieldError[] = [];
  for (const { container, path } of containersOf(spec, specPath)) {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = getOwn(annotations, appArmorAnnotation + container.name);
    if (profile && annotation !== undefined)
      append(errors, checkMatch(annotation, profile, path.child("securityContext").child("appArmorProfile")));
  }
  return errors;
}

function checkMatch(
  annotation: string,
  { type, localhostProfile }: DeepReadonly<AppArmorProfile>,
  path: FieldPath,
): FieldError[] {
  const typeDiffers = [forbidden(path.child("type"), "apparmor type in annotation and field must match")];
  if (type === "Unconfined") return annotation === "unconfined" ? [] : typeDiffers;
  if (type === "RuntimeDefault") return annotation === "runtime/default" ? [] : typeDiffers;
  if (type !== "Localhost") return [];
  if (!annotation.startsWith(localhostPrefix)) return typeDiffers;
  if (annotation.slice(localhostPrefix.length) === localhostProfile) return [];
  return [forbidden(path.child("localhostProfile"), "apparmor profile in annotation and field must match")];
}
