import { type FieldNode, type SchemaNode, type TypeCode, typeCodes } from "../schema/index.js";
import { unmergeable } from "./patch-errors.js";

/** How a strategic merge patch treats one member. */
export interface MergeRule {
  /** The member's type; for a list the type of its items. */
  readonly node: SchemaNode;
  /** "merge", "replace" or "". */
  readonly strategy: string;
  readonly retainKeys: boolean;
  /** The member that identifies an item of a list of objects, or "". */
  readonly mergeKey: string;
}

export function ruleForObject(parent: SchemaNode, key: string): MergeRule {
  const field = lookUp(parent, key);
  return { node: field.type, ...strategiesOf(field) };
}

export function ruleForList(parent: SchemaNode, key: string): MergeRule {
  const field = lookUp(parent, key);
  const list = field.type;
  // A list where the type has a pointer to something else is merged as if the pointer were its item; upstream reads it so.
  if (list.code === typeCodes.wrappedStringList || (field.pointer && list.code !== typeCodes.list))
    return { node: list, ...strategiesOf(field) };
  if (list.code !== typeCodes.list || list.element === undefined) {
    throw unmergeable(`expected slice or array type, but got: ${goKindOf(parent)}`);
  }
  if (list.element.code === typeCodes.list) throw unmergeable("unexpected slice of slice");
  return { node: list.element, ...strategiesOf(field) };
}

function lookUp(parent: SchemaNode, key: string): FieldNode {
  const kind = goKindOf(parent);
  if (kind !== "struct")
    throw unmergeable(`merging an object in json but data type is not struct, instead is: ${kind}`);
  const field = parent.byName.get(key);
  if (field) return field;
  const name =
    parent.name === "" ? (opaqueNames.get(parent.code) ?? "") : parent.name.slice(parent.name.lastIndexOf(".") + 1);
  throw unmergeable(`unable to find api field in struct ${name} for the json field ${JSON.stringify(key)}`);
}

function strategiesOf({ patchStrategy, patchMergeKey }: FieldNode): Omit<MergeRule, "node"> {
  const others = patchStrategy.filter((strategy) => strategy !== "retainKeys" && strategy !== "");
  if (others.length > 1) throw unmergeable(`unexpected patch strategy: [${patchStrategy.join(" ")}]`);
  return { strategy: others[0] ?? "", retainKeys: patchStrategy.includes("retainKeys"), mergeKey: patchMergeKey };
}

/** Values that are one JSON value to us and a Go struct without members to upstream. */
const opaqueNames: ReadonlyMap<TypeCode, string> = new Map([
  [typeCodes.rawExtension, "RawExtension"],
  [typeCodes.json, "JSON"],
  [typeCodes.fieldsV1, "FieldsV1"],
  [typeCodes.quantity, "Quantity"],
  [typeCodes.time, "Time"],
  [typeCodes.microTime, "MicroTime"],
  [typeCodes.duration, "Duration"],
  [typeCodes.intOrString, "IntOrString"],
  [typeCodes.schemaOrBool, "JSONSchemaPropsOrBool"],
  [typeCodes.schemaOrArray, "JSONSchemaPropsOrArray"],
  [typeCodes.schemaOrStringArray, "JSONSchemaPropsOrStringArray"],
]);

const kinds: ReadonlyMap<TypeCode, string> = new Map([
  [typeCodes.string, "string"],
  [typeCodes.bool, "bool"],
  [typeCodes.int32, "int32"],
  [typeCodes.int64, "int64"],
  [typeCodes.uint32, "uint32"],
  [typeCodes.float64, "float64"],
  [typeCodes.bytes, "slice"],
  [typeCodes.list, "slice"],
  [typeCodes.wrappedStringList, "slice"],
  [typeCodes.map, "map"],
]);

/** reflect.Kind of the Go type, as messages name it. */
export const goKindOf = (node: SchemaNode): string => kinds.get(node.code) ?? "struct";
