import type { FieldNode, MessageField } from "./field-node.js";
import type { ListType, SchemaNode, TypeCode } from "./schema-node.js";

/** A node while it is being linked. Every node is made here, so that all have one hidden class. */
export interface MutableNode extends SchemaNode {
  fields: FieldNode[];
  byName: Map<string, FieldNode>;
  message: MessageField[];
  element: SchemaNode | undefined;
  elementPointer: boolean;
  enumValues: readonly string[] | undefined;
  preserveUnknown: boolean;
  listType: ListType;
  listKeys: readonly string[];
  atomic: boolean;
}

const noFields: FieldNode[] = [];
const noNames = new Map<string, FieldNode>();
const noMessage: MessageField[] = [];

export function createNode(code: TypeCode, name = ""): MutableNode {
  return {
    code,
    name,
    fields: noFields,
    byName: noNames,
    message: noMessage,
    element: undefined,
    elementPointer: false,
    enumValues: undefined,
    preserveUnknown: false,
    listType: "atomic",
    listKeys: [],
    atomic: false,
  };
}
