import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { checkGroupId, checkUserId } from "@coxswain/apimachinery/validation";
import { checkOneOf, problemsAt } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";
import { checkAppArmorProfile } from "./app-armor.js";
import { checkSeccompProfile } from "./seccomp.js";
import { checkSysctls } from "./sysctls.js";
import { checkWindowsOptions } from "./windows-options.js";

/** The pod's security context, and the members of the spec that belong to it in upstream's eyes. */
export function checkPodSecurityContext(spec: DeepReadonly<PodSpec>, path: FieldPath, rules: PodRules): FieldError[] {
  const { securityContext: context = {}, shareProcessNamespace, hostPID } = spec;
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups = [], sysctls = [] } = context;
  const errors: FieldError[] = [];
  if (fsGroup !== undefined) append(errors, problemsAt(path.child("fsGroup"), fsGroup, checkGroupId(fsGroup)));
  if (runAsUser !== undefined) append(errors, problemsAt(path.child("runAsUser"), runAsUser, checkUserId(runAsUser)));
  if (runAsGroup !== undefined)
    append(errors, problemsAt(path.child("runAsGroup"), runAsGroup, checkGroupId(runAsGroup)));
  for (const [i, group] of supplementalGroups.entries())
    append(errors, problemsAt(path.child("supplementalGroups").index(i), group, checkGroupId(group)));
  if (shareProcessNamespace && hostPID)
    errors.push(
      invalid(path.child("shareProcessNamespace"), true, "ShareProcessNamespace and HostPID cannot both be enabled"),
    );
  if (sysctls.length > 0) append(errors, checkSysctls(sysctls, path.child("sysctls"), { sharing: spec, rules }));
  const {
    fsGroupChangePolicy,
    seccompProfile,
    windowsOptions,
    appArmorProfile,
    supplementalGroupsPolicy,
    seLinuxChangePolicy,
  } = context;
  if (fsGroupChangePolicy !== undefined)
    append(errors, checkOneOf(fsGroupChangePolicy, ["Always", "OnRootMismatch"], path.child("fsGroupChangePolicy")));
  if (seccompProfile) append(errors, checkSeccompProfile(seccompProfile, path.child("seccompProfile")));
  if (windowsOptions) append(errors, checkWindowsOptions(windowsOptions, path.child("windowsOptions")));
  if (appArmorProfile) append(errors, checkAppArmorProfile(appArmorProfile, path.child("appArmorProfile")));
  if (supplementalGroupsPolicy !== undefined)
    append(errors, checkOneOf(supplementalGroupsPolicy, ["Merge", "Strict"], path.child("supplementalGroupsPolicy")));
  const changePolicies = rules.onlyRecursiveSELinuxChange ? ["Recursive"] : ["MountOption", "Recursive"];
  if (seLinuxChangePolicy !== undefined)
    append(errors, checkOneOf(seLinuxChangePolicy, changePolicies, path.child("seLinuxChangePolicy")));
  return errors;
}
