import { unescapeName } from "../kubernetes/escaping.js";
import { Double, ListValue, MapValue, type Value } from "../values/value.js";

/**
 * Claims of a token, or what is known of a user. All numbers are doubles, as Go's decoder has it, and members whose names
 * are no identifiers are reached by their escaped names: `claims.example__dot__com`.
 */
export function claimsToValue(json: unknown): Value {
  switch (typeof json) {
    case "string":
    case "boolean":
      return json;
    case "number":
    case "bigint":
      return new Double(Number(json));
    case "object":
      if (json === null) return null;
      return Array.isArray(json) ? new ClaimsList(json) : new ClaimsMap(json as Readonly<Record<string, unknown>>);
    default:
      return null;
  }
}

class ClaimsList extends ListValue {
  readonly #items: readonly unknown[];
  constructor(items: readonly unknown[]) {
    super();
    this.#items = items;
  }
  get size(): number {
    return this.#items.length;
  }
  get(index: number): Value {
    return claimsToValue(this.#items[index]);
  }
}

class ClaimsMap extends MapValue {
  readonly #members: Readonly<Record<string, unknown>>;
  constructor(members: Readonly<Record<string, unknown>>) {
    super();
    this.#members = members;
  }
  get size(): number {
    return Object.keys(this.#members).length;
  }
  find(key: Value): Value | undefined {
    if (typeof key !== "string") return undefined;
    const name = unescapeName(key) ?? key;
    return Object.hasOwn(this.#members, name) ? claimsToValue(this.#members[name]) : undefined;
  }
  keys(): Iterable<Value> {
    return Object.keys(this.#members);
  }
}
