import type { Container, EphemeralContainer, PodSpec } from "@coxswain/api/core/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { appArmorAnnotation, appArmorProfileOf, checkAppArmorProfile } from "../../pod-spec/security/app-armor.js";
import type { StoredPod } from "./stored.js";

/**
 * Today's nodes read the field, so a profile that only the annotation has is copied there. When warnings are asked for
 * later, field and annotation look alike, so the warning is made now.
 */
export function setAppArmorFields(pod: StoredPod, warn: (text: string) => void): void {
  const { annotations } = pod.metadata;
  if (annotations === undefined || pod.spec.os?.name === "windows") return;
  for (const container of containersOf(pod.spec)) {
    const key = appArmorAnnotation + container.name;
    const annotation = getOwn(annotations, key);
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const read = appArmorProfileOf(annotation);
    const profile = read && checkAppArmorProfile(read, fieldPath("")).length === 0 ? read : undefined;
    if (profile && equalJson(profile, pod.spec.securityContext?.appArmorProfile)) continue;
    if (profile) (container.securityContext ??= {}).appArmorProfile = profile;
    warn(
      `${fieldPath("metadata", "annotations").key(key)}: deprecated since v1.30; use the "appArmorProfile" field instead`,
    );
  }
}

const containersOf = ({
  initContainers = [],
  containers,
  ephemeralContainers = [],
}: PodSpec): (Container | EphemeralContainer)[] => [...initContainers, ...(containers ?? []), ...ephemeralContainers];
