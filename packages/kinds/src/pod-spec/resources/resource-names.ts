import { type FieldError, type FieldPath, invalid, namedText, notSupported } from "@coxswain/apimachinery/field";
import { parseQuantity, type Quantity, QuantityError } from "@coxswain/apimachinery/quantity";
import { checkLabelKey } from "@coxswain/apimachinery/validation";

const objectCounts = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
];
const ofContainers = new Set(["cpu", "memory", "ephemeral-storage"]);
const ofPods = new Set(["cpu", "memory"]);
const standard = new Set([
  ...objectCounts,
  ...["", "requests.", "limits."].flatMap((prefix) => [...ofContainers].map((name) => prefix + name)),
  "storage",
  "requests.storage",
]);
const integers = new Set(objectCounts);

export const isHugePages = (name: string): boolean => name.startsWith("hugepages-");

/** Names without a domain are Kubernetes' own. */
export const isNativeResource = (name: string): boolean => !name.includes("/") || name.includes("kubernetes.io/");

/** One that a device plugin or a user brings, such as `example.com/gpu`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return checkLabelKey(`requests.${name}`).length === 0;
}

/** Of these a pod may ask for less than its limit. */
export const mayOvercommit = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

export const isInteger = (name: string): boolean =>
  integers.has(name) || (name.includes("/") && isExtendedResource(name));

export function checkResourceName(name: string, path: FieldPath): FieldError[] {
  if (ofContainers.has(name)) return [];
  const errors = checkLabelKey(name).map((problem) => invalid(path, namedText(name), problem));
  if (errors.length > 0 || name.includes("/")) return errors;
  const known = standard.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
  return known ? [] : [invalid(path, namedText(name), "must be a standard resource type or fully qualified")];
}

export function checkContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = checkResourceName(name, path);
  if (!name.includes("/")) {
    if (!ofContainers.has(name) && !isHugePages(name))
      errors.push(invalid(path, namedText(name), "must be a standard resource for containers"));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalid(path, namedText(name), "doesn't follow extended resource name standard"));
  }
  return errors;
}

export function checkPodResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = checkResourceName(name, path);
  if (errors.length > 0 || ofPods.has(name) || isHugePages(name)) return errors;
  return [notSupported(path, namedText(name), ["cpu", "hugepages-", "memory"])];
}

/** Whole pages of the size in the resource's name; false where that is no size. */
export function isWholePages(name: string, quantity: Quantity): boolean {
  const size = pageSize(name);
  if (size === undefined || size.sign <= 0 || BigInt(size.milliValue()) % 1000n !== 0n) return false;
  return BigInt(quantity.value()) % BigInt(size.value()) === 0n;
}

function pageSize(name: string): Quantity | undefined {
  try {
    return parseQuantity(name.slice("hugepages-".length));
  } catch (err) {
    if (err instanceof QuantityError) return undefined;
    throw err;
  }
}
