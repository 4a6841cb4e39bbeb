import { equalJson } from "../json/equal.js";
import { getOwn } from "../own/index.js";
import { isList, isObject } from "../patch/json-value.js";
import { type FindItem, keyedItems } from "./keyed-items.js";
import { memberSchema, type Structural } from "./structural.js";

/**
 * A value and the one it replaces, where the schema correlates them. Validation ratchets by it: faults of a value that did
 * not change are not faults of the update.
 */
export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly #schema: Structural;
  readonly #children = new Map<string | number, Correlation>();
  #findOld: FindItem | undefined;
  #unchanged: boolean | undefined;

  constructor(value: unknown, old: unknown, schema: Structural) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** A member; undefined where one of the two objects does not have it, or the schema gives it no shape. */
  key(name: string): Correlation | undefined {
    const known = this.#children.get(name);
    if (known) return known;
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const [value, old] = [getOwn<unknown>(this.value, name), getOwn<unknown>(this.old, name)];
    const schema = memberSchema(this.#schema, name);
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    return this.#keep(name, new Correlation(value, old, schema));
  }

  /** An item; only those that are identified by keys have an old one. */
  index(index: number): Correlation | undefined {
    const known = this.#children.get(index);
    if (known) return known;
    if (!isList(this.value) || !isList(this.old) || this.#schema.listType !== "map") return undefined;
    const value = this.value[index];
    this.#findOld ??= keyedItems(this.#schema, this.old);
    const old = this.#findOld(value);
    const { items } = this.#schema;
    if (old === undefined || items === undefined) return undefined;
    return this.#keep(index, new Correlation(value, old, items));
  }

  #keep(place: string | number, child: Correlation): Correlation {
    this.#children.set(place, child);
    return child;
  }

  /** Whether the value is what it was. An object with a member that the schema gives no shape never is: upstream cannot compare it. */
  get isUnchanged(): boolean {
    return (this.#unchanged ??= this.#compare());
  }

  #compare(): boolean {
    const { value, old } = this;
    if (isList(value) && isList(old)) {
      if (value.length !== old.length) return false;
      if (this.#schema.listType !== "map") return equalJson(value, old);
      return value.every((_, index) => this.index(index)?.isUnchanged === true);
    }
    if (isObject(value) && isObject(old)) {
      const names = Object.keys(value);
      return names.length === Object.keys(old).length && names.every((name) => this.key(name)?.isUnchanged === true);
    }
    return equalJson(value ?? null, old ?? null);
  }
}
