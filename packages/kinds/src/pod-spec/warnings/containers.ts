import type { DeepReadonly } from "@coxswain/api";
import type { EnvVar, PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { childOf, type FieldPath, quoteGo } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { appArmorAnnotation, appArmorProfileOf } from "../security/app-armor.js";
import { seccompContainerAnnotation } from "../security/seccomp.js";
import { type AnyContainer, containersOf } from "../visit-containers.js";
import { fractionalWarning } from "./fractions.js";

export interface ContainerSurroundings {
  readonly spec: DeepReadonly<PodSpec>;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** Of the template; none for a pod itself. */
  readonly root: FieldPath | undefined;
}

export function containerWarnings(around: ContainerSurroundings): string[] {
  const warnings: string[] = [];
  for (const { container, path } of containersOf(around.spec, childOf(around.root, "spec"))) {
    append(warnings, [
      ...profileWarnings(container, around),
      ...amountWarnings(container, path),
      ...hiddenVariables(container.env ?? [], path.child("env")),
    ]);
  }
  return warnings;
}

function profileWarnings(
  { name, securityContext }: AnyContainer,
  { spec, annotations, root }: ContainerSurroundings,
): string[] {
  if (annotations === undefined) return [];
  const warnings: string[] = [];
  const at = childOf(root, "metadata", "annotations");
  const seccomp = seccompContainerAnnotation + name;
  if (!securityContext?.seccompProfile && getOwn(annotations, seccomp) !== undefined) {
    warnings.push(`${at.key(seccomp)}: non-functional in v1.27+; use the "seccompProfile" field instead`);
  }
  const appArmor = getOwn(annotations, appArmorAnnotation + name);
  // A pod's own annotation is turned into the field when it is made, which warns on its own.
  if (root === undefined || appArmor === undefined || securityContext?.appArmorProfile) return warnings;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod && equalJson(ofPod, appArmorProfileOf(appArmor))) return warnings;
  return [
    ...warnings,
    `${at.key(appArmorAnnotation + name)}: deprecated since v1.30; use the "appArmorProfile" field instead`,
  ];
}

function amountWarnings({ resources }: AnyContainer, path: FieldPath): string[] {
  if (!resources?.limits && !resources?.requests) return [];
  return ["memory", "ephemeral-storage"].flatMap((name) =>
    (["limits", "requests"] as const).flatMap((kind) =>
      fractionalWarning(getOwn(resources[kind], name), path.child("resources", kind).key(name)),
    ),
  );
}

/** A variable may be set again in terms of itself, `X=$(X):more`; otherwise the first one is lost, and apply may drop it. */
function hiddenVariables(variables: readonly DeepReadonly<EnvVar>[], path: FieldPath): string[] {
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const [i, { name, value = "", valueFrom }] of variables.entries()) {
    const reference = `$(${name})`;
    if (seen.has(name) && (valueFrom || value === reference || !value.includes(reference))) {
      warnings.push(
        `${path.index(i)}: hides previous definition of ${quoteGo(name)}, which may be dropped when using apply`,
      );
    }
    seen.add(name);
  }
  return warnings;
}
