import type { Steps } from "@coxswain/runtime/steps";
import { decodeBase64 } from "../json/base64.js";
import { canonicalBase64, DecodeError, decodeUtf8Lossy } from "../json/index.js";
import { setOwn } from "../own/index.js";
import { quoteGo } from "../text/index.js";
import { goFloat } from "./go-float.js";
import type { YamlAlias, YamlCollection, YamlNode, YamlScalarNode } from "./grammar/yaml-node.js";
import { resolveScalar, type YamlScalar } from "./resolve-scalar.js";

/** A value with YAML's freedom: keys of any scalar type. */
type YamlValue = YamlScalar | YamlValue[] | Map<YamlScalar, YamlValue>;

/** Values between two places where others may run, and about how long each takes. */
const valuesPerStep = 64;
const microsPerValue = 1;

/** Keys that are reported one by one; the others are counted. go-yaml reports all, which is tens of megabytes for the longest body. */
const maxReported = 1_000;

/** A document as plain JSON data, and the keys that were there twice (the last counts). Throws DecodeError. */
export function* composeYaml(node: YamlNode | undefined): Steps<{ value: unknown; duplicates: string[] }> {
  const composer = new Composer();
  const value = node ? yield* composer.read(node) : null;
  return { value: yield* new JsonWriter().write(value), duplicates: composer.duplicates };
}

class Composer {
  readonly #duplicates: string[] = [];
  #unreported = 0;
  readonly #active = new Set<YamlNode>();
  #visited = 0;
  #reads = 0;
  #aliasReads = 0;
  #aliasDepth = 0;

  get duplicates(): string[] {
    return this.#unreported === 0 ? this.#duplicates : [...this.#duplicates, `and ${this.#unreported} more`];
  }

  *read(node: YamlNode): Steps<YamlValue> {
    if (node.kind === "scalar") return this.#scalar(node);
    this.#count();
    if (node.kind === "alias") return yield* this.#throughAlias(node, this.read(node.target));
    if (node.kind === "mapping") {
      const map = new Map<YamlScalar, YamlValue>();
      yield* this.#readInto(map, node);
      return map;
    }
    const list: YamlValue[] = [];
    for (const child of node.children) {
      if (++this.#visited % valuesPerStep === 0) yield valuesPerStep * microsPerValue;
      list.push(child.kind === "scalar" ? this.#scalar(child) : yield* this.read(child));
    }
    return list;
  }

  #scalar(node: YamlScalarNode): YamlScalar {
    this.#count();
    return node.tag === "" && !node.plain ? node.value : readScalar(node.value, node.tag);
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

  /** @param reading of its target; begun behind the check that it is not being read already */
  *#throughAlias<T>(alias: YamlAlias, reading: Steps<T>): Steps<T> {
    if (this.#active.has(alias)) throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#active.add(alias);
    this.#aliasDepth++;
    const result = yield* reading;
    this.#aliasDepth--;
    this.#active.delete(alias);
    return result;
  }

  *#readInto(map: Map<YamlScalar, YamlValue>, { children }: YamlCollection): Steps<void> {
    for (let at = 0; at + 1 < children.length; at += 2) {
      if (++this.#visited % valuesPerStep === 0) yield valuesPerStep * microsPerValue;
      const keyNode = children[at] as YamlNode;
      const valueNode = children[at + 1] as YamlNode;
      if (isMerge(keyNode)) {
        yield* this.#merge(map, valueNode);
        continue;
      }
      const key = keyNode.kind === "scalar" ? this.#scalar(keyNode) : yield* this.read(keyNode);
      if (typeof key === "object" && key !== null) throw new DecodeError(`yaml: invalid map key: ${goSyntax(key)}`);
      const value = valueNode.kind === "scalar" ? this.#scalar(valueNode) : yield* this.read(valueNode);
      if (map.has(key)) this.#reportDuplicate(key, valueNode.line);
      map.set(key, value);
    }
  }

  #reportDuplicate(key: YamlScalar, line: number): void {
    if (this.#duplicates.length === maxReported) this.#unreported++;
    else this.#duplicates.push(`line ${line}: key ${goSyntax(key)} already set in map`);
  }

  /** What is merged in replaces what stands before it, and what stands after it replaces that. Of a list, the first one wins. */
  *#merge(map: Map<YamlScalar, YamlValue>, node: YamlNode): Steps<void> {
    const sources = node.kind === "sequence" ? node.children.toReversed() : [node];
    for (const source of sources) {
      const target = source.kind === "alias" ? source.target : source;
      if (target.kind !== "mapping")
        throw new DecodeError("yaml: map merge requires map or sequence of maps as the value");
      this.#count();
      if (source.kind === "alias") yield* this.#throughAlias(source, this.#mergeTarget(map, target));
      else yield* this.#readInto(map, target);
    }
  }

  *#mergeTarget(map: Map<YamlScalar, YamlValue>, target: YamlCollection): Steps<void> {
    this.#count();
    yield* this.#readInto(map, target);
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

/** Values as JSON has them. */
class JsonWriter {
  #written = 0;

  *write(value: YamlValue): Steps<unknown> {
    if (typeof value !== "object" || value === null) return toJsonScalar(value);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const item of value) {
        if (++this.#written % valuesPerStep === 0) yield valuesPerStep * microsPerValue;
        list.push(typeof item === "object" ? yield* this.write(item) : toJsonScalar(item));
      }
      return list;
    }
    const object: Record<string, unknown> = {};
    for (const [key, member] of value) {
      if (++this.#written % valuesPerStep === 0) yield valuesPerStep * microsPerValue;
      setOwn(
        object,
        keyText(key, member),
        typeof member === "object" ? yield* this.write(member) : toJsonScalar(member),
      );
    }
    return object;
  }
}

function toJsonScalar(value: YamlScalar): YamlScalar {
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

/** As Go prints a value with its type (`%#v`), for errors about keys. */
function goSyntax(value: YamlValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quoteGo(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (value instanceof Map)
    return `map[interface {}]interface {}{${[...value].map(([key, member]) => `${goSyntax(key)}:${goSyntax(member)}`).join(", ")}}`;
  return String(value);
}
