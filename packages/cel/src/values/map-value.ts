import { isInt, maxInt } from "./int.js";
import { Double, MapValue, Uint, type Value } from "./value.js";

/** The string under which a key is kept; undefined for what no map can have as a key (lists, maps, bytes). */
export function mapKey(key: Value): string | undefined {
  switch (typeof key) {
    case "string":
      return `s${key}`;
    case "number":
    case "bigint":
      return `i${key}`;
    case "boolean":
      return key ? "true" : "false";
    default:
      if (key === null) return "null";
      if (key instanceof Uint) return `u${key.value}`;
      return key instanceof Double ? `d${key.value}` : undefined;
  }
}

/** Keys of other types of numbers that equal one: `{1: "a"}[1u]` and `{1: "a"}[1.0]` find the entry. */
function equalKeys(key: Value): readonly string[] {
  if (isInt(key)) return key < 0 ? [] : [`u${key}`];
  if (key instanceof Uint) return key.value > maxInt ? [] : [`i${key.value}`];
  if (!(key instanceof Double) || !Number.isInteger(key.value)) return [];
  const whole = BigInt(key.value);
  return [`i${whole}`, `u${whole}`];
}

/** A map of CEL values, in the order of insertion. */
export class EntriesMap extends MapValue {
  readonly #entries = new Map<string, { readonly key: Value; readonly value: Value }>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const [key, value] of entries) this.insert(key, value);
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: Value): Value | undefined {
    const exact = this.#entries.get(mapKey(key) ?? "");
    if (exact !== undefined || typeof key === "string") return exact?.value;
    for (const other of equalKeys(key)) {
      const entry = this.#entries.get(other);
      if (entry !== undefined) return entry.value;
    }
    return undefined;
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
