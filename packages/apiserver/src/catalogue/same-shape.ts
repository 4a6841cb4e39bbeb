import type { SchemaNode } from "@coxswain/apimachinery/schema";

/**
 * Whether two types have the same members of the same types all the way down: an object of one is an object of the
 * other, in JSON and in protobuf. Names of types do not matter.
 */
export function haveSameShape(a: SchemaNode, b: SchemaNode, seen: Map<SchemaNode, SchemaNode> = new Map()): boolean {
  if (a === b || seen.get(a) === b) return true;
  if (a.code !== b.code || a.fields.length !== b.fields.length || a.message.length !== b.message.length) return false;
  if (a.elementPointer !== b.elementPointer || a.listType !== b.listType || a.listKeys.join() !== b.listKeys.join())
    return false;
  seen.set(a, b);
  if (a.message.some(({ number }, at) => number !== b.message[at]?.number)) return false;
  if (a.element && (!b.element || !haveSameShape(a.element, b.element, seen))) return false;
  return a.fields.every((field, at) => {
    const other = b.fields[at];
    return other !== undefined && field.name === other.name && haveSameShape(field.type, other.type, seen);
  });
}
