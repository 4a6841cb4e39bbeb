import type { DeepReadonly } from "@coxswain/api";
import type { ObjectFieldSelector, ResourceFieldSelector } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, invalid, notSupported, required } from "@coxswain/apimachinery/field";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkQualifiedNameAt } from "../../checks/field-errors.js";

export const envFieldPaths: readonly string[] = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
export const volumeFieldPaths: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** What a pod of v1 has under a name at all, wherever it may be used. */
const knownFieldPaths = new Set([
  ...envFieldPaths,
  ...volumeFieldPaths,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
  "spec.host",
]);

/** `metadata.labels['key']` */
function splitSubscript(fieldPath: string): { path: string; subscript: string } | undefined {
  const bracket = fieldPath.indexOf("['");
  if (bracket <= 0 || !fieldPath.endsWith("']") || fieldPath.length < bracket + 4) return undefined;
  return { path: fieldPath.slice(0, bracket), subscript: fieldPath.slice(bracket + 2, -2) };
}

/** A field of the pod that a container sees as a variable or in a file. */
export function checkObjectField(
  { apiVersion = "", fieldPath }: DeepReadonly<ObjectFieldSelector>,
  supported: readonly string[],
  path: FieldPath,
): readonly FieldError[] {
  if (apiVersion === "") return [required(path.child("apiVersion"))];
  if (fieldPath === "") return [required(path.child("fieldPath"))];
  const failed = (why: string): FieldError[] => [
    invalid(path.child("fieldPath"), fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== "v1") return failed(`unsupported pod version: ${apiVersion}`);
  const parts = splitSubscript(fieldPath);
  if (parts) {
    if (parts.path === "metadata.annotations") return checkQualifiedNameAt(parts.subscript.toLowerCase(), path);
    if (parts.path === "metadata.labels") return checkQualifiedNameAt(parts.subscript, path);
    return failed(`field label does not support subscript: ${fieldPath}`);
  }
  if (!knownFieldPaths.has(fieldPath)) return failed(`field label not supported: ${fieldPath}`);
  const named = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  return supported.includes(named) ? [] : [notSupported(path.child("fieldPath"), named, supported)];
}

const resourcePaths = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const isHugePages = (resource: string): boolean =>
  resource.startsWith("requests.hugepages-") || resource.startsWith("limits.hugepages-");

export interface ResourceFieldPlace {
  /** In a volume the container must be named; a variable belongs to one already. */
  readonly inVolume: boolean;
  readonly path: FieldPath;
}

export function checkResourceField(
  { containerName = "", resource, divisor = "0" }: DeepReadonly<ResourceFieldSelector>,
  { inVolume, path }: ResourceFieldPlace,
): FieldError[] {
  const errors: FieldError[] = [];
  if (inVolume && containerName === "") errors.push(required(path.child("containerName")));
  else if (resource === "") errors.push(required(path.child("resource")));
  else if (!resourcePaths.includes(resource) && !isHugePages(resource))
    errors.push(notSupported(path.child("resource"), resource, resourcePaths));
  return [...errors, ...checkDivisor(resource, divisor, path.child("divisor"))];
}

const cpuDivisors = ["1", "1m"];
const byteDivisors = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];
const byteResources: Readonly<Record<string, string>> = {
  memory: "memory",
  "ephemeral-storage": "local ephemeral storage",
};

function checkDivisor(resource: string, divisor: string, path: FieldPath): FieldError[] {
  if (divisor === "0" || parseQuantity(divisor).isZero) return [];
  const wrong = (allowed: string, of: string): FieldError[] => [
    invalid(path, resource, `only divisor's values ${allowed} are supported with the ${of} resource`),
  ];
  if (resource === "limits.cpu" || resource === "requests.cpu")
    return cpuDivisors.includes(divisor) ? [] : wrong("1m and 1", "cpu");
  const of = isHugePages(resource)
    ? "hugepages"
    : resourcePaths.includes(resource)
      ? byteResources[resource.slice(resource.indexOf(".") + 1)]
      : undefined;
  return of === undefined || byteDivisors.includes(divisor) ? [] : wrong(byteDivisors.join(", "), of);
}
