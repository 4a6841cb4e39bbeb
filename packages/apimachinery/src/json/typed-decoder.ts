import { append } from "../append/index.js";
import { setOwn } from "../own/index.js";
import { createNode, type FieldNode, type SchemaNode, typeCodes } from "../schema/index.js";
import { base64ErrorOffset, canonicalBase64 } from "./canonical-base64.js";
import { DecodeError } from "./decode-error.js";
import { goFieldPath, goTypeName, goTypeOnly } from "./go-type-name.js";
import { isJsonObject } from "./json-object.js";
import { StrictErrors } from "./strict-errors.js";
import type { SyntaxTree } from "./syntax-tree.js";
import { decodeQuantityTree, decodeTimeTree, mismatch, numberValue, TypeMismatch } from "./typed-scalars.js";

/**
 * Reads a syntax tree as Go's decoder reads the text, member by member in the order written:
 * - a wrong type is remembered and the rest read on; the first one is the error;
 * - a type with a decoder of its own (times, quantities) stops everything at once, and its error wins;
 * - a duplicate member is read *into* what the first one left: structs and maps are merged, lists item by item.
 *
 * The result fits its type, and is made canonical by the walk afterwards.
 */
export class TypedDecoder {
  readonly strict = new StrictErrors();
  /** The first mismatch that did not stop the reading. */
  error: DecodeError | undefined;
  readonly #path: string[] = [];
  #struct = "";

  decode(tree: SyntaxTree, node: SchemaNode): unknown {
    try {
      const value = this.#value(tree, { node, pointer: false, old: undefined, at: "" });
      if (this.error) throw this.error;
      return value;
    } catch (err) {
      throw err instanceof TypeMismatch ? this.#inContext(err) : err;
    }
  }

  #value(tree: SyntaxTree, target: Target): unknown {
    const { node } = target;
    if (tree.kind === "null") return readNull(target);
    switch (node.code) {
      case typeCodes.struct:
        return tree.kind === "object" ? this.#structure(tree.members, target) : this.#save(tree, node);
      case typeCodes.map:
        return tree.kind === "object" ? this.#map(tree.members, target) : this.#save(tree, node);
      case typeCodes.list:
      case typeCodes.wrappedStringList:
        return tree.kind === "array" ? this.#list(tree.items, target) : this.#save(tree, node);
      case typeCodes.json:
        return this.#any(tree, target.at);
      case typeCodes.rawExtension:
      case typeCodes.fieldsV1:
        return plainValue(tree);
      case typeCodes.schemaOrBool:
      case typeCodes.schemaOrArray:
      case typeCodes.schemaOrStringArray:
        return this.#union(tree, node);
      case typeCodes.quantity:
        return decodeQuantityTree(tree);
      case typeCodes.time:
      case typeCodes.microTime:
      case typeCodes.duration:
        return decodeTimeTree(tree, node.code);
      case typeCodes.intOrString:
        if (tree.kind === "string") return tree.text;
        return this.#integer(tree, int32Node, true);
      case typeCodes.bytes:
        return this.#bytes(tree, node);
      case typeCodes.string:
        return tree.kind === "string" ? tree.text : this.#save(tree, node);
      case typeCodes.bool:
        return tree.kind === "bool" ? tree.value : this.#save(tree, node);
      case typeCodes.float64: {
        const value = tree.kind === "number" ? Number(tree.text) : undefined;
        return value !== undefined && Number.isFinite(value) ? value : this.#save(tree, node);
      }
      default:
        return this.#integer(tree, node, false);
    }
  }

  #structure(members: readonly { name: string; value: SyntaxTree }[], { node, old, at }: Target): unknown {
    const output: Record<string, unknown> = isJsonObject(old) ? old : {};
    const seen = new Set<string>();
    for (const { name, value } of members) {
      const field = node.byName.get(name);
      const path = at === "" ? name : `${at}.${name}`;
      if (field || node.preserveUnknown) {
        if (seen.has(name)) this.strict.duplicate(path);
        seen.add(name);
      } else {
        this.strict.unknown(path);
      }
      if (field) this.#member(output, { node, field, value, path });
      else if (node.preserveUnknown) setOwn(output, name, this.#any(value, path));
    }
    return output;
  }

  #member(
    output: Record<string, unknown>,
    { node, field, value, path }: { node: SchemaNode; field: FieldNode; value: SyntaxTree; path: string },
  ): void {
    const depth = this.#path.length;
    const struct = this.#struct;
    append(this.#path, goFieldPath(node, field.name));
    this.#struct = goTypeOnly(node);
    const old = Object.hasOwn(output, field.name) ? output[field.name] : undefined;
    const decoded = this.#value(value, { node: field.type, pointer: field.pointer, old, at: path });
    if (decoded !== undefined) setOwn(output, field.name, decoded);
    this.#path.length = depth;
    this.#struct = struct;
  }

  #map(members: readonly { name: string; value: SyntaxTree }[], { node, old, at }: Target): unknown {
    const output: Record<string, unknown> = isJsonObject(old) ? old : {};
    const seen = new Set<string>();
    for (const { name, value } of members) {
      const path = at === "" ? name : `${at}.${name}`;
      if (seen.has(name)) this.strict.duplicate(path);
      seen.add(name);
      const decoded = this.#value(value, {
        node: node.element as SchemaNode,
        pointer: node.elementPointer,
        old: undefined,
        at: path,
      });
      setOwn(output, name, decoded === undefined ? null : decoded);
    }
    return output;
  }

  #list(items: readonly SyntaxTree[], { node, old, at }: Target): unknown {
    const before: readonly unknown[] = Array.isArray(old) ? old : [];
    const element = node.code === typeCodes.wrappedStringList ? stringNode : (node.element as SchemaNode);
    return items.map((item, index) => {
      const decoded = this.#value(item, {
        node: element,
        pointer: node.elementPointer,
        old: before[index],
        at: `${at}[${index}]`,
      });
      return decoded === undefined ? null : decoded;
    });
  }

  /** Data without a type: the last of duplicates counts. */
  #any(tree: SyntaxTree, at: string): unknown {
    if (tree.kind === "array") return tree.items.map((item, index) => this.#any(item, `${at}[${index}]`));
    if (tree.kind === "number") return this.#number(tree);
    if (tree.kind !== "object") return plainValue(tree);
    const output: Record<string, unknown> = {};
    for (const { name, value } of tree.members) {
      const path = at === "" ? name : `${at}.${name}`;
      if (Object.hasOwn(output, name)) this.strict.duplicate(path);
      setOwn(output, name, this.#any(value, path));
    }
    return output;
  }

  #number(tree: SyntaxTree & { kind: "number" }): unknown {
    const value = numberValue(tree.text);
    if (typeof value === "number" && !Number.isFinite(value)) return this.#save(tree, float64Node);
    return value;
  }

  /** A union decodes its schema with a decoder of its own: no strict errors come out of it, and its mismatch stops everything. */
  #union(tree: SyntaxTree, node: SchemaNode): unknown {
    const element = node.element as SchemaNode;
    if (tree.kind === "object") return this.#nested(tree, element);
    if (node.code === typeCodes.schemaOrBool) {
      if (tree.kind === "bool") return tree.value;
      throw new DecodeError("boolean or JSON schema expected");
    }
    if (tree.kind !== "array") return null;
    const inner = node.code === typeCodes.schemaOrArray ? element : stringNode;
    return tree.items.map((item) => this.#nested(item, inner) ?? null);
  }

  #nested(tree: SyntaxTree, node: SchemaNode): unknown {
    const inner = new TypedDecoder();
    try {
      return inner.decode(tree, node);
    } catch (err) {
      if (err instanceof MismatchError) throw new TypeMismatch(err.found, err.type, err.path);
      throw err;
    }
  }

  #bytes(tree: SyntaxTree, node: SchemaNode): unknown {
    if (tree.kind === "array") return this.#byteList(tree.items);
    if (tree.kind !== "string") return this.#save(tree, node);
    const canonical = canonicalBase64(tree.text);
    if (canonical === undefined)
      this.error ??= new DecodeError(`illegal base64 data at input byte ${base64ErrorOffset(tree.text)}`);
    return canonical;
  }

  /** Go takes a list of numbers for bytes, too. */
  #byteList(items: readonly SyntaxTree[]): unknown {
    let binary = "";
    for (const item of items) {
      const value = item.kind === "number" && /^[0-9]{1,3}$/.test(item.text) ? Number(item.text) : -1;
      if (value >= 0 && value < 256) binary += String.fromCharCode(value);
      else if (item.kind !== "null") this.#saveType(item, "uint8", true);
    }
    return btoa(binary);
  }

  #integer(tree: SyntaxTree, node: SchemaNode, stop: boolean): unknown {
    const value = tree.kind === "number" && /^-?[0-9]+$/.test(tree.text) ? BigInt(tree.text.slice(0, 40)) : undefined;
    if (value !== undefined && fits(value, node)) return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    if (stop) throw mismatch(tree, goTypeName(node), true);
    return this.#saveType(tree, goTypeName(node), true);
  }

  #save(tree: SyntaxTree, node: SchemaNode): undefined {
    return this.#saveType(tree, goTypeName(node), node.code === typeCodes.float64);
  }

  #saveType(tree: SyntaxTree, type: string, numeric: boolean): undefined {
    this.error ??= this.#inContext(mismatch(tree, type, numeric));
  }

  #inContext(err: TypeMismatch): MismatchError {
    return new MismatchError(err, this.#struct, [...this.#path, ...err.path]);
  }
}

interface Target {
  readonly node: SchemaNode;
  readonly pointer: boolean;
  /** What an earlier member of the same name left. */
  readonly old: unknown;
  /** The path for strict errors, with indexes and keys. */
  readonly at: string;
}

class MismatchError extends DecodeError {
  readonly found: string;
  readonly type: string;
  readonly path: readonly string[];

  constructor(err: TypeMismatch, struct: string, path: readonly string[]) {
    const where = struct === "" && path.length === 0 ? "Go value" : `Go struct field ${struct}.${path.join(".")}`;
    super(`json: cannot unmarshal ${err.found} into ${where} of type ${err.type}`);
    this.found = err.found;
    this.type = err.type;
    this.path = path;
  }
}

const stringNode = createNode(typeCodes.string);
const int32Node = createNode(typeCodes.int32);
const float64Node = createNode(typeCodes.float64);

/** What null does: nothing to plain values, it empties what can be nil. undefined: as if the member were not there. */
function readNull({ node, pointer, old }: Target): unknown {
  if (pointer) return null;
  switch (node.code) {
    case typeCodes.list:
    case typeCodes.map:
    case typeCodes.bytes:
    case typeCodes.wrappedStringList:
    case typeCodes.quantity:
    case typeCodes.time:
    case typeCodes.microTime:
    case typeCodes.schemaOrArray:
    case typeCodes.schemaOrStringArray:
      return null;
    case typeCodes.json:
      return old === undefined ? null : old;
    case typeCodes.duration:
      throw new DecodeError('time: invalid duration ""');
    case typeCodes.schemaOrBool:
      throw new DecodeError("boolean or JSON schema expected");
    case typeCodes.intOrString:
      return typeof old === "number" ? old : undefined;
    default:
      return old;
  }
}

function fits(value: bigint, node: SchemaNode): boolean {
  if (node.code === typeCodes.int64) return BigInt.asIntN(64, value) === value;
  if (node.code === typeCodes.uint32) return BigInt.asUintN(32, value) === value;
  return BigInt.asIntN(32, value) === value;
}

/** Kept as it came; of duplicates the last, without a warning. */
export function plainValue(tree: SyntaxTree): unknown {
  switch (tree.kind) {
    case "object": {
      const output: Record<string, unknown> = {};
      for (const { name, value } of tree.members) setOwn(output, name, plainValue(value));
      return output;
    }
    case "array":
      return tree.items.map(plainValue);
    case "number":
      return numberValue(tree.text);
    case "string":
      return tree.text;
    case "bool":
      return tree.value;
    case "null":
      return null;
  }
}
