import type { Content, Operation, SeenObject } from "../history/operation.js";

export function describeOperation({ id, server, request, began, ended }: Operation): string {
  const key = "key" in request ? ` ${request.key}` : "";
  const read =
    "read" in request ? ` (${typeof request.read === "string" ? request.read : JSON.stringify(request.read)})` : "";
  return `${request.verb}${key}${read} ${id} on server ${server + 1}, ${Math.round(began)} to ${Math.round(ended)} ms,`;
}

export function sameContent(one: Content | undefined, other: Content | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

export function sameObject(one: SeenObject | undefined, other: SeenObject | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isSame = one.key === other.key && one.revision === other.revision && one.uid === other.uid;
  return isSame && sameContent(one.content, other.content);
}
