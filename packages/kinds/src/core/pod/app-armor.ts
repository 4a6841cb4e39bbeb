import type { Container, EphemeralContainer, PodSpec } from "@coxswain/api/core/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { appArmorAnnotation, appArmorProfileOf, checkAppArmorProfile } from "../pod-spec/security/app-armor.js";
import type { StoredPod } from "./kind.js";

/** What was said of a pod when its fields were set; by the time warnings are asked for, field and annotation look alike. */
const said = new WeakMap<object, string[]>();

/** Nodes of today read the field, so what only the annotation says is written there. */
export function setAppArmorFields(pod: StoredPod): void {
  const { annotations } = pod.metadata;
  if (annotations === undefined || pod.spec.os?.name === "windows") return;
  const warnings: string[] = [];
  for (const container of containersOf(pod.spec)) {
    const key = appArmorAnnotation + container.name;
    const annotation = getOwn(annotations, key);
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const read = appArmorProfileOf(annotation);
    const profile = read && checkAppArmorProfile(read, fieldPath("")).length === 0 ? read : undefined;
    if (profile && equalJson(profile, pod.spec.securityContext?.appArmorProfile)) continue;
    if (profile) (container.securityContext ??= {}).appArmorProfile = profile;
    warnings.push(`${fieldPath("metadata", "annotations").key(key)}: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
  if (warnings.length > 0) said.set(pod, warnings);
}

export const appArmorWarnings = (pod: object): readonly string[] => said.get(pod) ?? [];

const containersOf = ({ initContainers = [], containers, ephemeralContainers = [] }: PodSpec): (Container | EphemeralContainer)[] => [...initContainers, ...(containers ?? []), ...ephemeralContainers];
