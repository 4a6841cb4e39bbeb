import { Double, MapValue, Uint, type Value } from "./value.js";
import { toInt } from "./int.js";

/**
 * The string under which a key is kept, or undefined for what no map has as a key. Numbers that are equal across types
 * have one key: `{1: "a"}[1u]` and `{1: "a"}[1.0]` find it.
 */
export function mapKey(key: Value): string | undefined {
  switch (typeof key) {
    case "string":
      return `s${key}`;
    case "number":
    case "bigint":
      return `n${key}`;
    case "boolean":
      return key ? "true" : "false";
    default:
      if (key instanceof Uint) return `n${key.value}`;
      if (key instanceof Double && Number.isInteger(key.value)) return `n${BigInt(key.value)}`;
      return undefined;
  }
}

/** A map of CEL values, in the order of insertion. */
export class EntriesMap extends MapValue {
  readonly #entries: Map<string, { readonly key: Value; readonly value: Value }>;

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    this.#entries = new Map();
    for (const [key, value] of entries) this.#entries.set(mapKey(key) ?? "", { key, value });
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Value | undefined {
    const name = mapKey(key);
    return name === undefined ? undefined : this.#entries.get(name)?.value;
  }

  *keys(): Iterable<Value> {
    for (const { key } of this.#entries.values()) yield key;
  }

  /** Adds in place: only for a map under construction. */
  insert(key: Value, value: Value): void {
    this.#entries.set(mapKey(key) ?? "", { key, value });
  }
}

/** A map under construction by a comprehension; see GrowingList. */
export class GrowingMap extends EntriesMap {}

/** What may be a key of a map literal: bool, int, uint and string. */
export const isMapKey = (key: Value): boolean =>
  typeof key === "string" || typeof key === "boolean" || toInt(key) !== undefined || key instanceof Uint;
