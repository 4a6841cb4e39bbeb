import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec, SeccompProfile } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { checkOneOf } from "../../checks/field-errors.js";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkDescendingPath } from "../paths.js";
import { containersOf } from "../visit-containers.js";

export const seccompPodAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
export const seccompContainerAnnotation = "container.seccomp.security.alpha.kubernetes.io/";
const localhostPrefix = "localhost/";

type Annotations = Readonly<Record<string, string>> | undefined;

export function checkSeccompProfile(profile: DeepReadonly<SeccompProfile>, path: FieldPath): FieldError[] {
  const { type, localhostProfile } = profile;
  const errors: FieldError[] = [...checkType(type, path.child("type"))];
  const at = path.child("localhostProfile");
  if (type === "Localhost") {
    if (localhostProfile === undefined) errors.push(required(at, "must be set when seccomp type is Localhost"));
    else append(errors, checkDescendingPath(localhostProfile, at));
  } else if (localhostProfile !== undefined) {
    errors.push(
      invalid(at, internalValue("SeccompProfile", profile), "can only be set when seccomp type is Localhost"),
    );
  }
  return errors;
}

const checkType = (type: string, path: FieldPath): readonly FieldError[] =>
  type === ""
    ? [required(path, "type is required when seccompProfile is set")]
    : checkOneOf(type, ["Localhost", "RuntimeDefault", "Unconfined"], path);

/** The annotations of before 1.19 do nothing any more, but are still validated. */
export function checkSeccompAnnotations(annotations: Annotations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = getOwn(annotations, seccompPodAnnotation);
  if (ofPod !== undefined) append(errors, checkAnnotation(ofPod, path.child(seccompPodAnnotation)));
  for (const [key, value] of ownEntries(annotations))
    if (key.startsWith(seccompContainerAnnotation)) append(errors, checkAnnotation(value, path.child(key)));
  return errors;
}

function checkAnnotation(profile: string, path: FieldPath): FieldError[] {
  if (profile === "runtime/default" || profile === "docker/default" || profile === "unconfined") return [];
  if (profile.startsWith(localhostPrefix)) return checkDescendingPath(profile.slice(localhostPrefix.length), path);
  return [invalid(path, profile, "must be a valid seccomp profile")];
}

/** Where both are there, field and annotation must agree. */
export function checkSeccompAgrees(
  annotations: Annotations,
  spec: DeepReadonly<PodSpec>,
  specPath: FieldPath,
): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  const compare = (key: string, profile: DeepReadonly<SeccompProfile> | undefined, path: FieldPath): void => {
    const annotation = getOwn(annotations, key);
    if (profile && annotation !== undefined)
      append(errors, checkMatch(annotation, profile, path.child("securityContext").child("seccompProfile")));
  };
  compare(seccompPodAnnotation, spec.securityContext?.seccompProfile, specPath);
  for (const { container, path } of containersOf(spec, specPath))
    compare(seccompContainerAnnotation + container.name, container.securityContext?.seccompProfile, path);
  return errors;
}

function checkMatch(
  annotation: string,
  { type, localhostProfile }: DeepReadonly<SeccompProfile>,
  path: FieldPath,
): FieldError[] {
  const typeDiffers = [forbidden(path.child("type"), "seccomp type in annotation and field must match")];
  if (type === "Unconfined") return annotation === "unconfined" ? [] : typeDiffers;
  if (type === "RuntimeDefault")
    return annotation === "runtime/default" || annotation === "docker/default" ? [] : typeDiffers;
  if (type !== "Localhost") return [];
  if (!annotation.startsWith(localhostPrefix)) return typeDiffers;
  if (annotation.slice(localhostPrefix.length) === localhostProfile) return [];
  return [forbidden(path.child("localhostProfile"), "seccomp profile in annotation and field must match")];
}
