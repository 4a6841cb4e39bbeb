import type { KubernetesValue, ManagedFieldsEntry } from "../../contract/messages.js";
import type { LinePath } from "./yaml-lines.js";

/** Pure: the managers that own a field, by managedFields. A list's items are found by their keys. */
export function ownersOf(object: KubernetesValue, path: LinePath): string[] {
  const entries = object.metadata?.managedFields ?? [];
  return [...new Set(entries.filter((entry) => owns(entry, object, path)).map(nameOf))];
}

const nameOf = ({ manager = "", subresource }: ManagedFieldsEntry): string =>
  subresource === undefined || subresource === "" ? manager : `${manager} (${subresource})`;

function owns({ fieldsV1 }: ManagedFieldsEntry, object: unknown, path: LinePath): boolean {
  let fields: unknown = fieldsV1;
  let value: unknown = object;
  for (const step of path) {
    if (typeof fields !== "object" || fields === null) return false;
    const next = memberOf(value, step);
    const set = fields as Readonly<Record<string, unknown>>;
    const key = typeof step === "string" ? `f:${step}` : Object.keys(set).find((name) => isItem(name, next));
    if (key === undefined || !Object.hasOwn(set, key)) {
      // An atomic list or map is owned as a whole: its set ends above its members.
      return Object.keys(set).length === 0 && path.length > 0 && value !== object;
    }
    fields = set[key];
    value = next;
  }
  return isLeaf(fields);
}

const isLeaf = (fields: unknown): boolean =>
  typeof fields === "object" && fields !== null && (Object.keys(fields).length === 0 || Object.hasOwn(fields, "."));

const memberOf = (value: unknown, step: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string | number, unknown>)[step]
    : undefined;

/** `k:{"name":"web"}` and `v:"x"` name items by content. */
function isItem(name: string, item: unknown): boolean {
  if (name.startsWith("v:")) return name.slice(2) === JSON.stringify(item);
  if (!name.startsWith("k:") || typeof item !== "object" || item === null) return false;
  try {
    const keys = JSON.parse(name.slice(2)) as Record<string, unknown>;
    return Object.entries(keys).every(([key, wanted]) => memberOf(item, key) === wanted);
  } catch {
    return false; // no such form: some other server's
  }
}
