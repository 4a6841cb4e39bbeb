import { type TypeProvider } from "../declarations/type-provider.js";
import { ArrayList } from "../values/list-value.js";
import { EntriesMap, mapKey } from "../values/map-value.js";
import { showValue } from "../values/show-value.js";
import { typeOf } from "../values/type-of.js";
import { CelError, OptionalValue, type Value } from "../values/value.js";
import { type Evaluate, type Frame } from "./frame.js";

interface Element {
  readonly evaluate: Evaluate;
  readonly isOptional: boolean;
}

export function createList(elements: readonly Element[], id: number): Evaluate {
  return (frame) => {
    const values: Value[] = [];
    for (const { evaluate, isOptional } of elements) {
      const value = evaluate(frame);
      if (value instanceof CelError) return value;
      if (!isOptional) {
        values.push(value);
        continue;
      }
      if (!(value instanceof OptionalValue))
        return new CelError(`cannot initialize optional list element from non-optional value ${showValue(value)}`, id);
      if (value.value !== undefined) values.push(value.value);
    }
    return new ArrayList(values);
  };
}

export function createMap(entries: readonly (Element & { readonly key: Evaluate })[], id: number): Evaluate {
  return (frame) => {
    const pairs: [Value, Value][] = [];
    for (const entry of entries) {
      const key = entry.key(frame);
      if (key instanceof CelError) return key;
      const value = readEntry(frame, entry, { shown: () => showValue(key), id });
      if (value instanceof CelError) return value;
      if (mapKey(key) === undefined) return new CelError(`unsupported key type: ${typeOf(key).name}`, id);
      if (value !== undefined) pairs.push([key, value]);
    }
    return new EntriesMap(pairs);
  };
}

export interface StructPlan {
  readonly name: string;
  readonly fields: readonly (Element & { readonly name: string })[];
  readonly id: number;
}

export function createStruct(provider: TypeProvider, { name, fields, id }: StructPlan): Evaluate {
  return (frame) => {
    const values = new Map<string, Value>();
    for (const field of fields) {
      const value = readEntry(frame, field, { shown: () => field.name, id });
      if (value instanceof CelError) return value;
      if (value !== undefined) values.set(field.name, value);
    }
    return provider.newValue?.(name, values) ?? new CelError(`unknown type '${name}'`, id);
  };
}

/** The value of an entry; undefined for an optional one without a value, which is left out. */
function readEntry(frame: Frame, entry: Element, at: { shown: () => string; id: number }): Value | undefined {
  const value = entry.evaluate(frame);
  if (!entry.isOptional || value instanceof CelError) return value;
  if (value instanceof OptionalValue) return value.value;
  const message = `cannot initialize optional entry '${at.shown()}' from non-optional value ${showValue(value)}`;
  return new CelError(message, at.id);
}
