import {
  emptySet,
  type FieldSet,
  type ManagedFieldsEntry,
  readFieldsV1,
  union,
} from "@coxswain/apimachinery/managed-fields";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";

/** Managers of the system's own components: what they set follows from what people wrote. */
const systemManagers = new Set([
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "coxswain-up",
  "coxswain-load-balancer",
  "clusterrole-aggregation-controller",
  "service-cidr-controller",
]);

/** Pure: the fields that people and their programs own; undefined: there are none. */
export function ownedFields(entries: readonly ManagedFieldsEntry[]): FieldSet | undefined {
  const own = entries.filter(
    ({ manager = "", subresource = "" }) =>
      !systemManagers.has(manager) && (subresource === "" || subresource === "scale"),
  );
  return own.length === 0 ? undefined : own.map(({ fieldsV1 }) => readFieldsV1(fieldsV1)).reduce(union, emptySet);
}

/** Pure: of a value the members and items that a set names. A leaf stands for all below it. */
export function ownedPart(value: unknown, set: FieldSet): unknown {
  const elements = Object.keys(set).filter((element) => element !== ".");
  if (elements.length === 0) return value;
  if (Array.isArray(value)) {
    const items = value.filter((item) => elements.some((element) => isItem(item, element)));
    return items.map((item: unknown) => {
      const element = elements.find((each) => isItem(item, each));
      return withKeys(
        ownedPart(item, (element !== undefined && set[element as keyof FieldSet]) || emptySet),
        item,
        element,
      );
    });
  }
  if (typeof value !== "object" || value === null) return value;
  const part: Record<string, unknown> = {};
  for (const element of elements) {
    if (!element.startsWith("f:")) continue;
    const name = element.slice(2);
    const member = getOwn<unknown>(value as Record<string, unknown>, name);
    if (member !== undefined) setOwn(part, name, ownedPart(member, set[element as keyof FieldSet] ?? emptySet));
  }
  return part;
}

function keysOf(element: string): Record<string, unknown> {
  return JSON.parse(element.slice(2)) as Record<string, unknown>;
}

/** `k:{"name":"web"}` by its keys, `v:"x"` by its value. */
function isItem(item: unknown, element: string): boolean {
  if (element.startsWith("v:")) return JSON.stringify(item) === JSON.stringify(JSON.parse(element.slice(2)));
  if (!element.startsWith("k:") || typeof item !== "object" || item === null) return false;
  return Object.entries(keysOf(element)).every(
    ([name, wanted]) => getOwn(item as Record<string, unknown>, name) === wanted,
  );
}

/** An item is found by its keys: they stay with it, also where another manager owns them. */
function withKeys(part: unknown, item: unknown, element: string | undefined): unknown {
  if (!element?.startsWith("k:") || typeof part !== "object" || part === null) return part;
  const keys: Record<string, unknown> = {};
  for (const name of Object.keys(keysOf(element))) {
    const value = getOwn<unknown>(item as Record<string, unknown>, name);
    if (value !== undefined) setOwn(keys, name, value);
  }
  return { ...keys, ...part };
}
