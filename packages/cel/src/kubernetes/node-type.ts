import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";
import { bytesType, dynType, timestampType } from "../types/type.js";
import {
  type DeclaredType,
  declaredBool,
  declaredDouble,
  declaredInt,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
  simpleDeclared,
} from "./declared-type.js";
import { escapeName } from "./escaping.js";

/** A type contains itself, so that expressions cannot know it. */
class RecursiveType extends Error {}

/**
 * The type that objects of a built-in kind have in expressions that are checked by their schema. Undefined for a type that
 * contains itself, which upstream cannot resolve either. Bounds are left out: nobody estimates costs by it.
 */
export function nodeToType(node: SchemaNode): DeclaredType | undefined {
  try {
    return convert(node, new Set());
  } catch (error) {
    if (error instanceof RecursiveType) return undefined;
    throw error;
  }
}

/** Undefined for what has no type in OpenAPI v3: quantities, and lists and maps of such. */
function convert(node: SchemaNode, around: ReadonlySet<SchemaNode>): DeclaredType | undefined {
  switch (node.code) {
    case typeCodes.bool:
      return declaredBool;
    case typeCodes.int32:
    case typeCodes.int64:
    case typeCodes.uint32:
      return declaredInt;
    case typeCodes.float64:
      return declaredDouble;
    case typeCodes.string:
    case typeCodes.duration:
      return declaredString();
    case typeCodes.bytes:
      return simpleDeclared(bytesType, 2);
    case typeCodes.time:
    case typeCodes.microTime:
      return simpleDeclared(timestampType, 22);
    case typeCodes.intOrString:
      return simpleDeclared(dynType, 1);
    case typeCodes.rawExtension:
    case typeCodes.fieldsV1:
      return declaredObject(new Map());
    case typeCodes.wrappedStringList:
      return declaredList(declaredString(), 0);
    case typeCodes.list:
    case typeCodes.map: {
      const element = node.element && convert(node.element, around);
      return element && (node.code === typeCodes.list ? declaredList(element, 0) : declaredMap(element, 0));
    }
    case typeCodes.struct:
      return structOf(node, around);
    default:
      return undefined;
  }
}

function structOf(node: SchemaNode, around: ReadonlySet<SchemaNode>): DeclaredType {
  if (around.has(node)) throw new RecursiveType();
  const within = new Set([...around, node]);
  const fields = new Map<string, DeclaredType>();
  for (const { name, type: member } of node.fields) {
    const escaped = escapeName(name);
    const declared = convert(member, within);
    if (escaped !== undefined && declared !== undefined) fields.set(escaped, declared);
  }
  return declaredObject(fields);
}
