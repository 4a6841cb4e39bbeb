import type { DeepReadonly } from "@coxswain/api";
import type { DeviceRequest, DeviceRequestAllocationResult } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, fieldPath, forbidden, internalError } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import type { StrategyContext } from "../../definition/strategy.js";

const label = "resource.kubernetes.io/admin-access";

/** Admin access to devices that others use is allowed only in namespaces that are labelled for it. */
export function checkAdminAccess(
  requests: readonly DeepReadonly<DeviceRequest>[] | undefined,
  namespace: string | undefined,
  context: StrategyContext,
): FieldError[] {
  const at = requests?.findIndex(({ exactly }) => exactly?.adminAccess) ?? -1;
  return at < 0
    ? []
    : checkNamespace(namespace ?? "", fieldPath("spec", "devices", "requests").index(at).child("adminAccess"), context);
}

type Results = readonly DeepReadonly<DeviceRequestAllocationResult>[] | undefined;

/** What was granted before stays granted: an allocation never changes. */
export function checkAdminAccessGranted(
  next: Results,
  old: Results,
  namespace: string | undefined,
  context: StrategyContext,
): FieldError[] {
  if (old?.some(({ adminAccess }) => adminAccess)) return [];
  const at = next?.findIndex(({ adminAccess }) => adminAccess) ?? -1;
  return at < 0
    ? []
    : checkNamespace(
        namespace ?? "",
        fieldPath("status", "allocation", "devices", "results").index(at).child("adminAccess"),
        context,
      );
}

function checkNamespace(namespace: string, path: FieldPath, context: StrategyContext): FieldError[] {
  const labels = context.namespaceLabels ? context.namespaceLabels(namespace) : {};
  if (!labels)
    return [
      internalError(path, `could not retrieve namespace to verify admin access: namespaces "${namespace}" not found`),
    ];
  return getOwn(labels, label) === "true"
    ? []
    : [forbidden(path, `admin access to devices requires the \`${label}: true\` label on the containing namespace`)];
}
