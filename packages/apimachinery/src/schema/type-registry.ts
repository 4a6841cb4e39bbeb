import { createNode, type MutableNode } from "./mutable-node.js";
import type { FieldNode } from "./schema-node.js";
import { type ListType, type SchemaNode, type TypeCode, typeCodes } from "./schema-node.js";
import { cut, parseTypeTables, type TypeTable } from "./table.js";
import { readWords, type Words } from "./words.js";

/** Types by their OpenAPI name, linked at first use. */
export interface TypeRegistry {
  /** Throws for an unknown name: a table that names a missing type is a mistake of the generator. */
  get(name: string): SchemaNode;
  has(name: string): boolean;
  /** A struct, an enum or another named type ("io.k8s.api.core.v1.ResourceList"). */
  find(name: string): SchemaNode | undefined;
  /** Every struct, in the order of the tables. */
  names(): string[];
}

const scalarCodes: Readonly<Record<string, TypeCode>> = {
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
};
const unionCodes: Readonly<Record<string, TypeCode>> = {
  Ob: typeCodes.schemaOrBool,
  Oa: typeCodes.schemaOrArray,
  Os: typeCodes.schemaOrStringArray,
};

/** A table and what has been linked from it; equal types share a node, for nodes never change. */
interface Package {
  readonly table: TypeTable;
  readonly structs: Map<string, SchemaNode>;
  /** By the type's text, for types whose member has no markers for lists and maps. */
  readonly types: Map<string, SchemaNode>;
  readonly aliases: Map<string, Package>;
}

const noWords = readWords("");

/** `texts` are parsed when the first type is asked for, in the order given; `change` may give a table more types and members. */
export const createTypeRegistry = (
  texts: readonly string[],
  change: (table: TypeTable) => TypeTable = (table) => table,
): TypeRegistry => new LinkedTypes(texts, change);

class LinkedTypes implements TypeRegistry {
  readonly #texts: readonly string[];
  readonly #change: (table: TypeTable) => TypeTable;
  #packages: Map<string, Package> | undefined;

  constructor(texts: readonly string[], change: (table: TypeTable) => TypeTable) {
    this.#texts = texts;
    this.#change = change;
  }

  #all(): Map<string, Package> {
    if (this.#packages) return this.#packages;
    const packages = (this.#packages = new Map<string, Package>());
    for (const table of this.#texts.flatMap(parseTypeTables).map(this.#change))
      packages.set(table.package, { table, structs: new Map(), types: new Map(), aliases: new Map() });
    return packages;
  }

  /** The package that `name` or `m:name` stands in, and its name there. */
  #locate(from: Package, name: string): { pkg: Package; short: string } {
    const colon = name.indexOf(":");
    if (colon < 0) return { pkg: from, short: name };
    const alias = name.slice(0, colon);
    let pkg = from.aliases.get(alias);
    if (!pkg) {
      const full = from.table.aliases.get(alias);
      pkg = full === undefined ? undefined : this.#all().get(full);
      if (!pkg) throw new Error(`type table ${from.table.package}: nothing is called "${alias}:"`);
      from.aliases.set(alias, pkg);
    }
    return { pkg, short: name.slice(colon + 1) };
  }

  #locateFull(name: string): { pkg: Package; short: string } | undefined {
    const dot = name.lastIndexOf(".");
    const pkg = this.#all().get(name.slice(0, dot));
    return pkg && { pkg, short: name.slice(dot + 1) };
  }

  get(name: string): SchemaNode {
    const found = this.#locateFull(name);
    const node = found && this.#struct(found.pkg, found.short);
    if (!node) throw new Error(`no type named ${name} in the tables`);
    return node;
  }

  #struct(pkg: Package, short: string): SchemaNode | undefined {
    const done = pkg.structs.get(short);
    if (done) return done;
    const block = pkg.table.structs.get(short);
    if (block !== undefined) return this.#link(pkg, short, block);
    const other = pkg.table.named.has(short) ? this.#resolve(pkg, `~${short}`, noWords) : undefined;
    return other?.code === typeCodes.struct ? other : undefined;
  }

  #link(pkg: Package, short: string, block: string): SchemaNode {
    const node = createNode(typeCodes.struct, `${pkg.table.package}.${short}`);
    pkg.structs.set(short, node); // before its members: types may contain themselves
    node.fields = [];
    node.byName = new Map();
    node.message = [];
    const lines = block.split("\n");
    if (lines[0] !== short) describe(node, readWords(cut(lines[0] ?? "", " ")[1]));
    for (let at = 1; at < lines.length; at++) {
      const line = lines[at] ?? "";
      if (line[0] === "^") this.#inline(node, pkg, line);
      else this.#addMember(node, pkg, line);
    }
    node.message.sort((a, b) => a.number - b.number);
    return node;
  }

  #inline(node: MutableNode, pkg: Package, line: string): void {
    const [type, number] = cut(line.slice(1), " ");
    const pointer = type.startsWith("*");
    const inner = this.#resolve(pkg, pointer ? type.slice(1) : type, noWords);
    for (const field of inner.fields) {
      const index = node.fields.length;
      addField(node, field.index === index ? field : { ...field, index }); // kind and apiVersion stand first nearly everywhere
    }
    if (inner.unions.length > 0) node.unions = [...node.unions, ...inner.unions];
    if (number !== "0") node.message.push({ number: Number(number), field: undefined, inline: inner, pointer });
  }

  #addMember(node: MutableNode, pkg: Package, line: string): void {
    const afterName = line.indexOf(" ");
    const afterType = line.indexOf(" ", afterName + 1);
    const afterNumber = line.indexOf(" ", afterType + 1);
    const number = Number(afterNumber < 0 ? line.slice(afterType + 1) : line.slice(afterType + 1, afterNumber));
    const words = afterNumber < 0 ? noWords : readWords(line.slice(afterNumber + 1));
    const pointer = line[afterName + 1] === "*";
    const field: FieldNode = {
      name: line.slice(0, afterName),
      type: this.#resolve(pkg, line.slice(afterName + (pointer ? 2 : 1), afterType), words),
      index: node.fields.length,
      pointer,
      omitEmpty: words.omitEmpty,
      omitZero: words.omitZero,
      required: words.required,
      patchStrategy: words.patchStrategy,
      patchMergeKey: words.patchMergeKey,
      gate: words.gates[0],
      gates: words.gates,
      defaultValue: words.defaultValue,
      rules: words.rules,
      comparedRules: words.comparedRules,
    };
    addField(node, field);
    if (number > 0) node.message.push({ number, field, inline: undefined, pointer });
  }

  /** `words` are those of the member that has the type: they decide what kind of list or map it is. */
  #resolve(pkg: Package, type: string, words: Words): SchemaNode {
    if (words.applyType !== "") return withApplyType(this.#make(pkg, type), words);
    const done = pkg.types.get(type);
    if (done) return done;
    const node = this.#make(pkg, type);
    pkg.types.set(type, node);
    return node;
  }

  #make(pkg: Package, type: string): SchemaNode {
    if (type.startsWith("[]")) return this.#container(typeCodes.list, pkg, type);
    if (type.startsWith("{}")) return this.#container(typeCodes.map, pkg, type);
    if (type.length === 1) {
      const code = scalarCodes[type];
      if (code !== undefined) return createNode(code);
    }
    if (type.startsWith("s%")) return this.#enumNode(this.#locate(pkg, type.slice(2)));
    if (type.startsWith("~")) return this.#namedNode(this.#locate(pkg, type.slice(1)));
    const union = type[2] === ":" ? unionCodes[type.slice(0, 2)] : undefined;
    if (union !== undefined) {
      const node = createNode(union);
      node.element = this.#resolve(pkg, type.slice(3), noWords);
      return node;
    }
    const found = this.#locate(pkg, type);
    const node = this.#struct(found.pkg, found.short);
    if (!node) throw new Error(`no type named ${found.pkg.table.package}.${found.short} in the tables`);
    return node;
  }

  #container(code: TypeCode, pkg: Package, type: string): MutableNode {
    const node = createNode(code);
    node.elementPointer = type[2] === "*";
    node.element = this.#resolve(pkg, type.slice(node.elementPointer ? 3 : 2), noWords);
    return node;
  }

  #enumNode({ pkg, short }: { pkg: Package; short: string }): SchemaNode {
    const done = pkg.types.get(`%${short}`);
    if (done) return done;
    const node = createNode(typeCodes.string, `${pkg.table.package}.${short}`);
    node.enumValues = pkg.table.enums.get(short);
    pkg.types.set(`%${short}`, node);
    return node;
  }

  #namedNode({ pkg, short }: { pkg: Package; short: string }): SchemaNode {
    const done = pkg.types.get(`~${short}`);
    if (done) return done;
    const [type, words] = cut(pkg.table.named.get(short) ?? "", " ");
    if (type === "") throw new Error(`no type named ${pkg.table.package}.${short} in the tables`);
    const node = this.#make(pkg, type);
    if (node.name !== "") return node; // another name for a type that has one
    const renamed: MutableNode = { ...(node as MutableNode), name: `${pkg.table.package}.${short}` };
    if (words !== "") describe(renamed, readWords(words));
    pkg.types.set(`~${short}`, renamed);
    return renamed;
  }

  has(name: string): boolean {
    const found = this.#locateFull(name);
    return (
      found !== undefined &&
      (found.pkg.table.structs.has(found.short) || this.#struct(found.pkg, found.short) !== undefined)
    );
  }

  find(name: string): SchemaNode | undefined {
    const found = this.#locateFull(name);
    if (!found) return undefined;
    if (found.pkg.table.named.has(found.short)) return this.#namedNode(found);
    return found.pkg.table.enums.has(found.short) ? this.#enumNode(found) : this.#struct(found.pkg, found.short);
  }

  names(): string[] {
    return [...this.#all().values()].flatMap(({ table }) =>
      [...table.structs.keys()].map((short) => `${table.package}.${short}`),
    );
  }
}

function addField(node: MutableNode, field: FieldNode): void {
  node.fields.push(field);
  node.byName.set(field.name, field);
}

/** The meaning of the words of a struct or a named type. */
function describe(node: MutableNode, words: Words): void {
  node.atomic = words.applyType === "atomic";
  node.applyType = words.applyType;
  node.rules = words.rules;
  node.comparedRules = words.comparedRules;
  node.unions = words.unions;
}

/** The member's copy of a type. (Bytes may be called a list too: `caBundle`.) */
function withApplyType(node: SchemaNode, { applyType, listKeys }: Words): SchemaNode {
  if (node.code !== typeCodes.list) return { ...node, applyType, atomic: applyType === "atomic" };
  return { ...node, applyType, listType: applyType as ListType, listKeys };
}
