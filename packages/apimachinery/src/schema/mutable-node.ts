import type { ApplyType, FieldNode, ListType, MessageField, SchemaNode, TypeCode, UnionFact } from "./schema-node.js";

/** A node while it is being linked. Every node is made here, so that all have one hidden class. */
export interface MutableNode extends SchemaNode {
  name: string;
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
  applyType: ApplyType;
  unions: readonly UnionFact[];
  rules: readonly string[];
  comparedRules: readonly string[];
}

const noFields: FieldNode[] = [];
const noNames = new Map<string, FieldNode>();
const noMessage: MessageField[] = [];
const noWords: readonly string[] = [];
const noUnions: readonly UnionFact[] = [];

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
    listKeys: noWords,
    atomic: false,
    applyType: "",
    unions: noUnions,
    rules: noWords,
    comparedRules: noWords,
  };
}
