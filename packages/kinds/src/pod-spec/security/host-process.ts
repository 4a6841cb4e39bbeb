import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, forbidden, invalid } from "@coxswain/apimachinery/field";
import type { PodRules } from "../pod-rules.js";
import { containersOf } from "../visit-containers.js";

/** Containers of Windows that run as processes of their host: all of a pod, or none. */
export function checkHostProcesses(
  spec: DeepReadonly<PodSpec>,
  path: FieldPath,
  { allowPrivileged }: Pick<PodRules, "allowPrivileged">,
): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let all = 0;
  let hostProcesses = 0;
  for (const { container, path: at } of containersOf(spec, path)) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    all++;
    if (own ?? ofPod ?? false) hostProcesses++;
    if (ofPod === undefined || own === undefined || own === ofPod) continue;
    errors.push(
      invalid(
        at.child("securityContext", "windowsOptions", "hostProcess"),
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      ),
    );
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== all)
    errors.push(
      invalid(
        path,
        "",
        "If pod contains any hostProcess containers then all containers must be HostProcess containers",
      ),
    );
  if (!spec.hostNetwork)
    errors.push(
      invalid(path.child("hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers"),
    );
  if (!allowPrivileged) errors.push(forbidden(path, "hostProcess containers are disallowed by cluster policy"));
  return errors;
}
