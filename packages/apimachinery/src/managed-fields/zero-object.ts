import { setOwn } from "../own/index.js";
import type { JsonObject } from "../patch/json-value.js";
import { type FieldNode, type SchemaNode, typeCodes } from "../schema/index.js";

const known = new WeakMap<SchemaNode, JsonObject>();

/**
 * The object that Go makes of a type before anything is set in it, as JSON. A create is compared with it: what Go writes of
 * an empty object (`"containers": null`) is not owned by who creates it.
 */
export function zeroObject(node: SchemaNode): JsonObject {
  let zero = known.get(node);
  if (!zero) known.set(node, (zero = makeZero(node)));
  return zero;
}

function makeZero(node: SchemaNode): JsonObject {
  const out: Record<string, unknown> = {};
  for (const field of node.fields) {
    const value = zeroOf(field);
    if (value !== undefined) setOwn(out, field.name, value);
  }
  return out;
}

function zeroOf({ type, pointer, omitEmpty, omitZero }: FieldNode): unknown {
  if (omitZero || (pointer && omitEmpty)) return undefined;
  if (pointer) return null;
  if (type.code === typeCodes.struct) return zeroObject(type);
  if (
    type.code === typeCodes.time ||
    type.code === typeCodes.microTime ||
    type.code === typeCodes.rawExtension ||
    type.code === typeCodes.json
  )
    return null;
  if (type.code === typeCodes.quantity) return "0";
  if (type.code === typeCodes.duration) return "0s";
  if (type.code === typeCodes.intOrString) return 0;
  if (omitEmpty) return undefined;
  return zeroScalars.get(type.code) ?? null;
}

const zeroScalars: ReadonlyMap<number, unknown> = new Map<number, unknown>([
  [typeCodes.string, ""],
  [typeCodes.bool, false],
  [typeCodes.int32, 0],
  [typeCodes.int64, 0],
  [typeCodes.uint32, 0],
  [typeCodes.float64, 0],
]);
