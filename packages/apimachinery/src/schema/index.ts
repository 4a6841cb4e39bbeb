export {
  type ApplyType,
  type ListType,
  type SchemaNode,
  type TypeCode,
  typeCodes,
  type UnionFact,
} from "./schema-node.js";
export type { FieldNode, MessageField } from "./schema-node.js";
export type { TypeTable } from "./table.js";
export { createTypeRegistry, type TypeRegistry } from "./type-registry.js";
// For those who make nodes of their own (custom resources).
export { createNode, type MutableNode } from "./mutable-node.js";
