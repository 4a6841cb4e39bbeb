import type { FieldNode } from "./field-node.js";
import { createNode, type MutableNode } from "./mutable-node.js";
import { type ListType, type SchemaNode, type TypeCode, typeCodes } from "./schema-node.js";
import { type MemberRow, parseTypeTables, type StructRow, type TypeTable } from "./table.js";

/** Types by their OpenAPI name, linked at first use. */
export interface TypeRegistry {
  /** Throws for an unknown name: a table that names a missing type is a mistake of the generator. */
  get(name: string): SchemaNode;
  has(name: string): boolean;
  names(): string[];
}

const scalarNodes = new Map<string, SchemaNode>(
  Object.entries({
    s: typeCodes.string,
    b: typeCodes.bool,
    i: typeCodes.int32,
    l: typeCodes.int64,
    w: typeCodes.uint32,
    d: typeCodes.float64,
    y: typeCodes.bytes,
    Q: typeCodes.quantity,
    T: typeCodes.time,
    M: typeCodes.microTime,
    D: typeCodes.duration,
    I: typeCodes.intOrString,
    R: typeCodes.rawExtension,
    F: typeCodes.fieldsV1,
    J: typeCodes.json,
    X: typeCodes.wrappedStringList,
  } satisfies Record<string, TypeCode>).map(([letter, code]) => [letter, createNode(code)]),
);

const unions: Record<string, TypeCode> = { Ob: typeCodes.schemaOrBool, Oa: typeCodes.schemaOrArray, Os: typeCodes.schemaOrStringArray };

/** `texts` are parsed when the first type is asked for, in the order given. */
export function createTypeRegistry(texts: readonly string[]): TypeRegistry {
  let tables: Map<string, TypeTable> | undefined;
  const linked = new Map<string, SchemaNode>();
  const enumNodes = new Map<string, SchemaNode>();
  const allTables = (): Map<string, TypeTable> => (tables ??= new Map(texts.flatMap(parseTypeTables).map((table) => [table.package, table])));

  function find(name: string): { table: TypeTable; row: StructRow } | undefined {
    const dot = name.lastIndexOf(".");
    const table = allTables().get(name.slice(0, dot));
    const row = table?.structs.get(name.slice(dot + 1));
    return table && row ? { table, row } : undefined;
  }

  function struct(name: string): SchemaNode {
    const done = linked.get(name);
    if (done) return done;
    const found = find(name);
    if (!found) throw new Error(`no type named ${name} in the tables`);
    const node = createNode(typeCodes.struct, name);
    linked.set(name, node); // before its members: types may contain themselves
    node.atomic = found.row.atomic;
    fill(node, found.table, found.row);
    return node;
  }

  function fill(node: MutableNode, table: TypeTable, row: StructRow): void {
    node.fields = [];
    node.byName = new Map();
    node.message = [];
    for (const member of row.members) {
      if (member.name === "") inline(node, table, member);
      else {
        const field = link(table, member, node.fields.length);
        addField(node, field);
        if (member.number > 0) node.message.push({ number: member.number, field, inline: undefined, pointer: field.pointer });
      }
    }
    node.message.sort((a, b) => a.number - b.number);
  }

  function inline(node: MutableNode, table: TypeTable, member: MemberRow): void {
    const pointer = member.type.startsWith("*");
    const inner = struct(qualify(table, pointer ? member.type.slice(1) : member.type));
    for (const field of inner.fields) addField(node, { ...field, index: node.fields.length });
    if (member.number > 0) node.message.push({ number: member.number, field: undefined, inline: inner, pointer });
  }

  function addField(node: MutableNode, field: FieldNode): void {
    node.fields.push(field);
    node.byName.set(field.name, field);
  }

  function link(table: TypeTable, member: MemberRow, index: number): FieldNode {
    const pointer = member.type.startsWith("*");
    const { flags, values } = member;
    const type = resolve(table, pointer ? member.type.slice(1) : member.type, member);
    const fallback = values.get("d");
    return {
      name: member.name,
      type,
      index,
      pointer,
      omitEmpty: flags.has("o"),
      omitZero: flags.has("z"),
      required: flags.has("r"),
      patchStrategy: values.get("ps")?.split(",") ?? [],
      patchMergeKey: values.get("pk") ?? "",
      gate: values.get("g"),
      defaultValue: fallback === undefined ? undefined : JSON.parse(fallback),
    };
  }

  /** `member` gives the list and map facts of the outermost type. */
  function resolve(table: TypeTable, type: string, member?: MemberRow): SchemaNode {
    const scalar = scalarNodes.get(type);
    if (scalar) return scalar;
    const container = type.startsWith("[]") ? typeCodes.list : type.startsWith("{}") ? typeCodes.map : undefined;
    if (container !== undefined) {
      const node = createNode(container);
      const inner = type.slice(2);
      node.elementPointer = inner.startsWith("*");
      node.element = resolve(table, node.elementPointer ? inner.slice(1) : inner);
      node.listType = (member?.values.get("lt") as ListType | undefined) ?? "atomic";
      node.listKeys = member?.values.get("lk")?.split(",") ?? [];
      node.atomic = member?.flags.has("a") ?? false;
      return node;
    }
    if (type.startsWith("s%")) return enumNode(table, type.slice(2));
    const union = unions[type.slice(0, 2)];
    if (union !== undefined && type[2] === ":") {
      const node = createNode(union);
      node.element = struct(qualify(table, type.slice(3)));
      return node;
    }
    const node = struct(qualify(table, type));
    return member?.flags.has("a") && !node.atomic ? { ...node, atomic: true } : node;
  }

  function enumNode(table: TypeTable, name: string): SchemaNode {
    const full = qualify(table, name);
    const done = enumNodes.get(full);
    if (done) return done;
    const dot = full.lastIndexOf(".");
    const node = createNode(typeCodes.string, full);
    node.enumValues = allTables().get(full.slice(0, dot))?.enums.get(full.slice(dot + 1)) ?? [];
    enumNodes.set(full, node);
    return node;
  }

  return {
    get: struct,
    has: (name) => find(name) !== undefined,
    names: () => [...allTables().values()].flatMap((table) => [...table.structs.values()].map((row) => row.name)),
  };
}

function qualify(table: TypeTable, name: string): string {
  const colon = name.indexOf(":");
  if (colon < 0) return `${table.package}.${name}`;
  const alias = table.aliases.get(name.slice(0, colon));
  if (alias === undefined) throw new Error(`type table ${table.package}: nothing is called "${name.slice(0, colon)}:"`);
  return `${alias}.${name.slice(colon + 1)}`;
}
