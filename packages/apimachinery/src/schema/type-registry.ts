import type { FieldNode } from "./field-node.js";
import { createNode, type MutableNode } from "./mutable-node.js";
import { type ApplyType, type ListType, type SchemaNode, type TypeCode, typeCodes, type UnionFact } from "./schema-node.js";
import { type MemberRow, parseStruct, parseTypeTables, type StructRow, type TypeTable, valueOf } from "./table.js";

/** Types by their OpenAPI name, linked at first use. */
export interface TypeRegistry {
  /** Throws for an unknown name: a table that names a missing type is a mistake of the generator. */
  get(name: string): SchemaNode;
  has(name: string): boolean;
  /** Every struct, in the order of the tables. */
  names(): string[];
}

const scalarCodes = {
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
} satisfies Record<string, TypeCode>;
const scalarNodes = new Map<string, SchemaNode>(Object.entries(scalarCodes).map(([letter, code]) => [letter, createNode(code)]));

const unions: Record<string, TypeCode> = { Ob: typeCodes.schemaOrBool, Oa: typeCodes.schemaOrArray, Os: typeCodes.schemaOrStringArray };

const none: readonly string[] = [];

/** `texts` are parsed when the first type is asked for, in the order given. */
export function createTypeRegistry(texts: readonly string[]): TypeRegistry {
  let tables: Map<string, TypeTable> | undefined;
  const linked = new Map<string, SchemaNode>();
  const namedNodes = new Map<string, SchemaNode>();
  const allTables = (): Map<string, TypeTable> => (tables ??= new Map(texts.flatMap(parseTypeTables).map((table) => [table.package, table])));

  function tableOf(name: string): { table: TypeTable; short: string } | undefined {
    const dot = name.lastIndexOf(".");
    const table = allTables().get(name.slice(0, dot));
    return table && { table, short: name.slice(dot + 1) };
  }

  function get(name: string): SchemaNode {
    const done = linked.get(name);
    if (done) return done;
    const found = tableOf(name);
    const block = found?.table.structs.get(found.short);
    if (found && block !== undefined) return struct(name, found.table, parseStruct(block));
    const node = found?.table.named.has(found.short) ? resolve(found.table, `~${found.short}`, none) : undefined;
    if (node?.code !== typeCodes.struct) throw new Error(`no type named ${name} in the tables`);
    return node;
  }

  function struct(name: string, table: TypeTable, row: StructRow): SchemaNode {
    const node = createNode(typeCodes.struct, name);
    linked.set(name, node); // before its members: types may contain themselves
    node.fields = [];
    node.byName = new Map();
    node.message = [];
    if (row.words.length > 0) {
      node.atomic = row.words.includes("a");
      node.applyType = node.atomic ? "atomic" : "";
      node.rules = rulesOf(row.words, "v");
      node.comparedRules = rulesOf(row.words, "vc");
      node.unions = unionsOf(row.words);
    }
    for (const member of row.members) {
      if (member.name === "") inline(node, table, member);
      else {
        const field = link(table, member, node.fields.length);
        addField(node, field);
        if (member.number > 0) node.message.push({ number: member.number, field, inline: undefined, pointer: field.pointer });
      }
    }
    node.message.sort((a, b) => a.number - b.number);
    return node;
  }

  function inline(node: MutableNode, table: TypeTable, member: MemberRow): void {
    const pointer = member.type.startsWith("*");
    const inner = get(qualify(table, pointer ? member.type.slice(1) : member.type));
    for (const field of inner.fields) addField(node, { ...field, index: node.fields.length });
    if (inner.unions.length > 0) node.unions = [...node.unions, ...inner.unions];
    if (member.number > 0) node.message.push({ number: member.number, field: undefined, inline: inner, pointer });
  }

  function addField(node: MutableNode, field: FieldNode): void {
    node.fields.push(field);
    node.byName.set(field.name, field);
  }

  function link(table: TypeTable, member: MemberRow, index: number): FieldNode {
    const { words } = member;
    const pointer = member.type.startsWith("*");
    const type = resolve(table, pointer ? member.type.slice(1) : member.type, words);
    const fallback = valueOf(words, "d");
    const gates = valueOf(words, "g")?.split(",") ?? none;
    return {
      name: member.name,
      type,
      index,
      pointer,
      omitEmpty: words.includes("o"),
      omitZero: words.includes("z"),
      required: words.includes("r"),
      patchStrategy: valueOf(words, "ps")?.split(",") ?? none,
      patchMergeKey: valueOf(words, "pk") ?? "",
      gate: gates[0],
      gates,
      defaultValue: fallback === undefined ? undefined : JSON.parse(fallback),
      rules: rulesOf(words, "v"),
      comparedRules: rulesOf(words, "vc"),
    };
  }

  /** `words` give the list and map facts of the outermost type. */
  function resolve(table: TypeTable, type: string, words: readonly string[]): SchemaNode {
    const scalar = scalarNodes.get(type);
    if (scalar) return scalar;
    if (type.startsWith("[]")) return container(typeCodes.list, table, type, words);
    if (type.startsWith("{}")) return container(typeCodes.map, table, type, words);
    if (type.startsWith("s%")) return enumNode(qualify(table, type.slice(2)));
    if (type.startsWith("~")) return namedNode(qualify(table, type.slice(1)), words);
    const union = type[2] === ":" ? unions[type.slice(0, 2)] : undefined;
    if (union !== undefined) {
      const node = createNode(union);
      node.element = get(qualify(table, type.slice(3)));
      return node;
    }
    const node = get(qualify(table, type));
    const applyType = applyTypeOf(words);
    return applyType === "" || applyType === node.applyType ? node : { ...node, atomic: applyType === "atomic", applyType };
  }

  function container(code: TypeCode, table: TypeTable, type: string, words: readonly string[]): MutableNode {
    const node = createNode(code);
    const inner = type.slice(2);
    node.elementPointer = inner.startsWith("*");
    node.element = resolve(table, node.elementPointer ? inner.slice(1) : inner, none);
    if (words.length > 0) {
      node.applyType = applyTypeOf(words);
      if (code === typeCodes.list) node.listType = (node.applyType || "atomic") as ListType;
      node.listKeys = valueOf(words, "lk")?.split(",") ?? none;
      node.atomic = words.includes("a");
    }
    return node;
  }

  function enumNode(name: string): SchemaNode {
    return remember(name, (table, short) => {
      const node = createNode(typeCodes.string, name);
      node.enumValues = table.enums.get(short);
      return node;
    });
  }

  function namedNode(name: string, words: readonly string[]): SchemaNode {
    const found = tableOf(name);
    const [type, ...own] = found?.table.named.get(found.short) ?? none;
    if (!found || type === undefined) throw new Error(`no type named ${name} in the tables`);
    if (type.startsWith("[]") || type.startsWith("{}")) {
      const node = container(type.startsWith("[]") ? typeCodes.list : typeCodes.map, found.table, type, words);
      node.name = name;
      return node;
    }
    if (!scalarNodes.has(type)) return resolve(found.table, type, words); // another name for a type that has one
    return remember(name, () => {
      const node = createNode(scalarCodes[type as keyof typeof scalarCodes], name);
      node.rules = rulesOf(own, "v");
      node.comparedRules = rulesOf(own, "vc");
      return node;
    });
  }

  function remember(name: string, make: (table: TypeTable, short: string) => SchemaNode): SchemaNode {
    const done = namedNodes.get(name);
    if (done) return done;
    const found = tableOf(name);
    if (!found) throw new Error(`no type named ${name} in the tables`);
    const node = make(found.table, found.short);
    namedNodes.set(name, node);
    return node;
  }

  return {
    get,
    has: (name) => linked.has(name) || (tableOf(name)?.table.structs.has(name.slice(name.lastIndexOf(".") + 1)) ?? false),
    names: () => [...allTables().values()].flatMap((table) => [...table.structs.keys()].map((short) => `${table.package}.${short}`)),
  };
}

function applyTypeOf(words: readonly string[]): ApplyType {
  if (words.includes("a")) return "atomic";
  return ((valueOf(words, "lt") ?? valueOf(words, "mt")) as ApplyType | undefined) ?? "";
}

function rulesOf(words: readonly string[], key: "v" | "vc"): readonly string[] {
  return valueOf(words, key)?.split(";") ?? none;
}

function unionsOf(words: readonly string[]): readonly UnionFact[] {
  const text = valueOf(words, "u");
  if (text === undefined) return [];
  const [discriminator = "", ...members] = text.split(",");
  return [{ discriminator, members: members.map((member) => ({ field: member.slice(0, member.indexOf(":")), goName: member.slice(member.indexOf(":") + 1) })) }];
}

function qualify(table: TypeTable, name: string): string {
  const colon = name.indexOf(":");
  if (colon < 0) return `${table.package}.${name}`;
  const alias = table.aliases.get(name.slice(0, colon));
  if (alias === undefined) throw new Error(`type table ${table.package}: nothing is called "${name.slice(0, colon)}:"`);
  return `${alias}.${name.slice(colon + 1)}`;
}
