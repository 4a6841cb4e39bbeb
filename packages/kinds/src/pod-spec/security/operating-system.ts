import type { DeepReadonly } from "@coxswain/api";
import type { PodSecurityContext, PodSpec, SecurityContext } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, forbidden, required } from "@coxswain/apimachinery/field";
import { checkOneOf } from "../../checks/field-errors.js";
import { containersOf } from "../visit-containers.js";

/** A pod that names its system must not ask for what only the other one has. */
export function checkOperatingSystem(spec: DeepReadonly<PodSpec>, path: FieldPath): readonly FieldError[] {
  if (!spec.os) return [];
  const { name } = spec.os;
  if ((name as string) === "") return [required(path.child("os").child("name"))];
  const errors = checkOneOf(name, ["linux", "windows"], path.child("os"));
  if (errors.length > 0) return errors;
  return name === "linux" ? checkLinux(spec, path) : checkWindows(spec, path);
}

function checkLinux(spec: DeepReadonly<PodSpec>, path: FieldPath): FieldError[] {
  const why = "windows options cannot be set for a linux pod";
  const errors = spec.securityContext?.windowsOptions
    ? [forbidden(path.child("securityContext").child("windowsOptions"), why)]
    : [];
  for (const { container, path: at } of containersOf(spec, path)) {
    if (container.securityContext?.windowsOptions)
      errors.push(forbidden(at.child("securityContext").child("windowsOptions"), why));
  }
  return errors;
}

/** In upstream's order. Those of the second list stand in the spec itself. */
const ofPodContext = [
  "appArmorProfile",
  "seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "seccompProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "sysctls",
  "shareProcessNamespace",
  "runAsUser",
  "runAsGroup",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "seLinuxChangePolicy",
] as const;
const ofSpec = ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"] as const;
const ofContainer = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
] as const satisfies readonly (keyof SecurityContext)[];

type SpecMember = (typeof ofSpec)[number];
const isOfSpec = (member: string): member is SpecMember => (ofSpec as readonly string[]).includes(member);

function checkWindows(spec: DeepReadonly<PodSpec>, path: FieldPath): FieldError[] {
  const why = "cannot be set for a windows pod";
  const errors: FieldError[] = [];
  const context: DeepReadonly<PodSecurityContext> = spec.securityContext ?? {};
  for (const member of ofPodContext) {
    const inSpec = isOfSpec(member);
    if ((inSpec ? spec[member] : context[member]) === undefined) continue;
    errors.push(forbidden((inSpec ? path : path.child("securityContext")).child(member), why));
  }
  for (const { container, path: at } of containersOf(spec, path)) {
    const { securityContext } = container;
    if (!securityContext) continue;
    for (const member of ofContainer)
      if (securityContext[member] !== undefined) errors.push(forbidden(at.child("securityContext").child(member), why));
  }
  return errors;
}
