import { canonicalBase64, DecodeError, decodeUtf8Lossy } from "../json/index.js";
import { quoteGo } from "../text/index.js";
import { setOwn } from "../own/index.js";
import { decodeBase64 } from "../json/base64.js";
import { goFloat } from "./go-float.js";
import type { YamlNode } from "./node-tree.js";
import { resolveScalar, type YamlScalar } from "./resolve-scalar.js";

/** A value with YAML's freedom: keys of any scalar type. */
type YamlValue = YamlScalar | YamlValue[] | Map<YamlScalar, YamlValue>;

/** A document as plain JSON data, and the keys that were there twice (the last counts). Throws DecodeError. */
export function composeYaml(node: YamlNode | undefined): { value: unknown; duplicates: string[] } {
  const composer = new Composer();
  const value = node ? composer.read(node) : null;
  return { value: toJson(value), duplicates: composer.duplicates };
}

class Composer {
  readonly duplicates: string[] = [];
  readonly #active = new Set<YamlNode>();
  #reads = 0;
  #aliasReads = 0;
  #aliasDepth = 0;

  read(node: YamlNode): YamlValue {
    this.#count();
    switch (node.kind) {
      case "alias":
        return this.#throughAlias(node, (target) => this.read(target));
      case "scalar":
        return node.tag === "" && !node.plain ? node.value : readScalar(node.value, node.tag);
      case "sequence":
        return node.children.map((child) => this.read(child));
      case "mapping": {
        const map = new Map<YamlScalar, YamlValue>();
        this.#readInto(map, node.children);
        return map;
      }
    }
  }

  /** Aliases may make a small text large: the larger the result, the smaller the part of it that may come from aliases, by go-yaml's measure. */
  #count(): void {
    this.#reads++;
    if (this.#aliasDepth > 0) this.#aliasReads++;
    if (this.#aliasReads <= 100 || this.#reads <= 1000) return;
    const allowed =
      this.#reads <= 400_000
        ? 0.99
        : this.#reads >= 4_000_000
          ? 0.1
          : 0.99 - 0.89 * ((this.#reads - 400_000) / 3_600_000);
    if (this.#aliasReads / this.#reads > allowed) throw new DecodeError("yaml: document contains excessive aliasing");
  }

  #throughAlias<T>(alias: YamlNode & { kind: "alias" }, read: (target: YamlNode) => T): T {
    if (this.#active.has(alias)) throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#active.add(alias);
    this.#aliasDepth++;
    const result = read(alias.target);
    this.#aliasDepth--;
    this.#active.delete(alias);
    return result;
  }

  #readInto(map: Map<YamlScalar, YamlValue>, children: readonly YamlNode[]): void {
    for (let at = 0; at + 1 < children.length; at += 2) {
      const keyNode = children[at] as YamlNode;
      const valueNode = children[at + 1] as YamlNode;
      if (isMerge(keyNode)) {
        this.#merge(map, valueNode);
        continue;
      }
      const key = this.read(keyNode);
      if (typeof key === "object" && key !== null) throw new DecodeError(`yaml: invalid map key: ${goSyntax(key)}`);
      const value = this.read(valueNode);
      if (map.has(key)) this.duplicates.push(`line ${valueNode.line}: key ${goSyntax(key)} already set in map`);
      map.set(key, value);
    }
  }

  /** What is merged in replaces what stands before it, and what stands after it replaces that. Of a list, the first one wins. */
  #merge(map: Map<YamlScalar, YamlValue>, node: YamlNode): void {
    const sources = node.kind === "sequence" ? node.children.toReversed() : [node];
    for (const source of sources) {
      const target = source.kind === "alias" ? source.target : source;
      if (target.kind !== "mapping")
        throw new DecodeError("yaml: map merge requires map or sequence of maps as the value");
      this.#count();
      if (source.kind === "alias") {
        this.#throughAlias(source, () => {
          this.#count();
          this.#readInto(map, target.children);
        });
      } else {
        this.#readInto(map, target.children);
      }
    }
  }
}

const isMerge = (node: YamlNode): boolean =>
  node.kind === "scalar" &&
  node.value === "<<" &&
  (node.plain ? node.tag === "" || node.tag === "!!merge" : node.tag === "!!merge");

function readScalar(text: string, tag: string): YamlScalar {
  if (tag !== "!!binary") return resolveScalar(text, tag).value;
  const canonical = canonicalBase64(text);
  if (canonical === undefined) throw new DecodeError("yaml: !!binary value contains invalid base64 data");
  return decodeUtf8Lossy(decodeBase64(canonical));
}

function toJson(value: YamlValue): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) {
    const object: Record<string, unknown> = {};
    for (const [key, member] of value) setOwn(object, keyText(key, member), toJson(member));
    return object;
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw new DecodeError(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
  return value;
}

function keyText(key: YamlScalar, value: YamlValue): string {
  if (typeof key === "number" && !Number.isSafeInteger(key))
    return Number.isNaN(key) ? ".nan" : Number.isFinite(key) ? goFloat(key, 32) : key > 0 ? ".inf" : "-.inf";
  if (key === null)
    throw new DecodeError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);
  return String(key);
}

/** As Go prints a value with its type (`%#v`), for complaints about keys. */
function goSyntax(value: YamlValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quoteGo(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (value instanceof Map)
    return `map[interface {}]interface {}{${[...value].map(([key, member]) => `${goSyntax(key)}:${goSyntax(member)}`).join(", ")}}`;
  return String(value);
}
