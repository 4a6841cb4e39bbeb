import { createNode, type FieldNode, type SchemaNode, typeCodes } from "../schema/index.js";

// Makes our types of the schemas that structured-merge-diff's tests are written with.

interface TypeRef {
  namedType?: string;
  scalar?: string;
  list?: { elementType: TypeRef; elementRelationship?: string; keys?: string[] };
  map?: {
    fields?: { name: string; type: TypeRef; default?: unknown }[];
    elementType?: TypeRef;
    elementRelationship?: string;
  };
  elementRelationship?: string;
}
export interface SmdSchema {
  types: (TypeRef & { name: string })[];
}

const scalarCodes: Record<string, SchemaNode> = {
  numeric: createNode(typeCodes.float64),
  string: createNode(typeCodes.string),
  boolean: createNode(typeCodes.bool),
  untyped: createNode(typeCodes.intOrString),
};

export function smdTypes({ types }: SmdSchema): (name: string) => SchemaNode {
  const made = new Map<string, SchemaNode>([
    ["__untyped_deduced_", createNode(typeCodes.json)],
    ["__untyped_atomic_", createNode(typeCodes.rawExtension)],
  ]);
  const byName = (name: string): SchemaNode => {
    const known = made.get(name);
    if (known) return known;
    const node = createNode(typeCodes.struct, name);
    made.set(name, node);
    Object.assign(node, fill(types.find((type) => type.name === name) ?? {}));
    return node;
  };
  const resolve = (ref: TypeRef): SchemaNode => {
    const node = ref.namedType === undefined ? fill(ref) : byName(ref.namedType);
    if (ref.elementRelationship === undefined) return node;
    const atomic = ref.elementRelationship === "atomic";
    return node.code === typeCodes.list
      ? { ...node, listType: atomic ? "atomic" : "set", applyType: "atomic" }
      : { ...node, atomic };
  };
  const fill = ({ scalar, list, map }: TypeRef): SchemaNode => {
    if (scalar && list && map) return createNode(typeCodes.json);
    if (map) {
      const node = createNode(typeCodes.struct);
      node.atomic = map.elementRelationship === "atomic";
      node.fields = (map.fields ?? []).map((field, index) =>
        fieldOf(field.name, resolve(field.type), field.default, index),
      );
      node.byName = new Map(node.fields.map((field) => [field.name, field]));
      if (map.elementType && Object.keys(map.elementType).length > 0) node.element = resolve(map.elementType);
      return node;
    }
    if (list) {
      const node = createNode(typeCodes.list);
      node.element = resolve(list.elementType);
      node.listKeys = list.keys ?? [];
      node.listType = list.elementRelationship === "atomic" ? "atomic" : node.listKeys.length > 0 ? "map" : "set";
      node.applyType = node.listType;
      return node;
    }
    return scalarCodes[scalar ?? ""] ?? createNode(typeCodes.json);
  };
  return byName;
}

const fieldOf = (name: string, type: SchemaNode, defaultValue: unknown, index: number): FieldNode => ({
  name,
  type,
  index,
  pointer: true,
  omitEmpty: true,
  omitZero: false,
  required: false,
  patchStrategy: [],
  patchMergeKey: "",
  gate: undefined,
  gates: [],
  defaultValue,
  rules: [],
  comparedRules: [],
});
