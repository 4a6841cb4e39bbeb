import { equal } from "../values/equal.js";
import { ArrayList, elementsOf } from "../values/list-value.js";
import { mapKey } from "../values/map-value.js";
import { showValue } from "../values/show-value.js";
import { typeOf } from "../values/type-of.js";
import { ListValue, MapValue, type Value } from "../values/value.js";

/** A list of data that CEL did not make, whose elements are converted when they are read. */
export class SchemaList extends ListValue {
  readonly data: readonly unknown[];
  readonly #convert: (data: unknown) => Value;

  constructor(data: readonly unknown[], convert: (data: unknown) => Value) {
    super();
    this.data = data;
    this.#convert = convert;
  }

  get size(): number {
    return this.data.length;
  }

  get(index: number): Value {
    return this.#convert(this.data[index]);
  }
}

/** The elements of a list by what identifies them: themselves in a set, their key fields in a map. Undefined: not comparable. */
type KeyOf = (element: Value) => string | undefined;

const scalarKey: KeyOf = (value) => mapKey(value) ?? `${typeOf(value).name} ${showValue(value)}`;

const fieldsKey =
  (names: readonly string[]): KeyOf =>
  (element) => {
    if (!(element instanceof MapValue)) return undefined;
    return JSON.stringify(names.map((name) => scalarKey(element.find(name) ?? null)));
  };

/** x-kubernetes-list-type: set. Order does not matter to `==`, and `+` is the union. */
export const asSet = (list: ListValue): ListValue => keyed(list, scalarKey);

/** x-kubernetes-list-type: map. Order does not matter to `==`, and `+` replaces elements of equal keys in their place. */
export const asKeyedList = (list: ListValue, keys: readonly string[]): ListValue => keyed(list, fieldsKey(keys));

function keyed(list: ListValue, keyOf: KeyOf): ListValue {
  list.equals = (other) => other instanceof ListValue && equalKeyed(list, other, keyOf);
  list.concat = (other) => keyed(mergeKeyed(list, other, keyOf), keyOf);
  return list;
}

function equalKeyed(list: ListValue, other: ListValue, keyOf: KeyOf): boolean {
  if (list.size !== other.size) return false;
  const mine = new Map<string | undefined, Value>();
  for (const element of elementsOf(list)) mine.set(keyOf(element), element);
  for (const element of elementsOf(other)) {
    const match = mine.get(keyOf(element));
    if (match === undefined || !equal(match, element)) return false;
  }
  return true;
}

function mergeKeyed(list: ListValue, other: ListValue, keyOf: KeyOf): ListValue {
  const merged = [...elementsOf(list)];
  const positions = new Map(merged.map((element, index) => [keyOf(element), index]));
  for (const element of elementsOf(other)) {
    const key = keyOf(element);
    const position = positions.get(key);
    if (position === undefined) {
      if (keyOf === scalarKey) positions.set(key, merged.length);
      merged.push(element);
    } else merged[position] = element;
  }
  return new ArrayList(merged);
}
