import { getOwn } from "@coxswain/apimachinery/own";
import {
  type Check,
  type CheckPod,
  containersOf,
  namesOf,
  onLinux,
  plural,
  quoted,
  setters,
  sorted,
  theContainers,
  type Violation,
} from "./check.js";

const podKey = "seccomp.security.alpha.kubernetes.io/pod";
const containerPrefix = "container.seccomp.security.alpha.kubernetes.io/";

/** Before there was a field, annotations were used. */
const annotations: CheckPod = (pod) => {
  const keys = [podKey, ...containersOf(pod).map(({ name }) => `${containerPrefix}${name}`)];
  const forbidden = sorted(
    keys.flatMap((key) => {
      const value = getOwn(pod.metadata.annotations, key);
      const isFine =
        value === undefined ||
        value === "runtime/default" ||
        value === "docker/default" ||
        value.startsWith("localhost/");
      return isFine ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  return forbidden.length > 0
    ? {
        reason: "seccompProfile",
        detail: `forbidden ${plural("annotation", "annotations", forbidden.length)} ${forbidden.join(", ")}`,
      }
    : undefined;
};

const isBad = (profile: { readonly type: string } | undefined): boolean =>
  profile !== undefined && profile.type !== "Localhost" && profile.type !== "RuntimeDefault";

const explicit: CheckPod = (pod): Violation | undefined => {
  const own = pod.spec.securityContext?.seccompProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seccompProfile));
  const who = setters(
    isBad(own),
    bad.map(({ name }) => name),
  );
  if (who.length === 0) return undefined;
  const values = sorted([
    ...(own && isBad(own) ? [own.type] : []),
    ...bad.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? ""),
  ]);
  return {
    reason: "seccompProfile",
    detail: `${who.join(" and ")} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  };
};

const required: CheckPod = (pod) => {
  const wrong = explicit(pod);
  if (wrong || pod.spec.securityContext?.seccompProfile) return wrong;
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  return silent.length > 0
    ? {
        reason: "seccompProfile",
        detail: `pod or ${theContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
      }
    : undefined;
};

export const seccompBaseline: Check = {
  id: "seccompProfile_baseline",
  level: "baseline",
  versions: [
    { from: 0, check: annotations },
    { from: 19, check: explicit },
  ],
};
export const seccompRestricted: Check = {
  id: "seccompProfile_restricted",
  level: "restricted",
  versions: [
    { from: 19, check: required },
    { from: 25, check: onLinux(required) },
  ],
  overrides: "seccompProfile_baseline",
};
