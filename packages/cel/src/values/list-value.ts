import { ListValue, type Value } from "./value.js";

/** A list of CEL values. */
export class ArrayList extends ListValue {
  readonly elements: readonly Value[];
  constructor(elements: readonly Value[]) {
    super();
    this.elements = elements;
  }
  get size(): number {
    return this.elements.length;
  }
  get(index: number): Value {
    return this.elements[index] as Value;
  }
}

/** Two lists seen as one. Deep chains (a list grown in a loop) are flattened, so that reading stays cheap. */
class ConcatList extends ListValue {
  readonly #first: ListValue;
  readonly #second: ListValue;
  readonly size: number;
  constructor(first: ListValue, second: ListValue) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }
  get(index: number): Value {
    return index < this.#first.size ? this.#first.get(index) : this.#second.get(index - this.#first.size);
  }
}

/**
 * A list under construction by a comprehension: no expression can see it before its last step, so every step may add in
 * place, and the list is linear in its elements rather than quadratic.
 */
export class GrowingList extends ListValue {
  readonly elements: Value[] = [];
  get size(): number {
    return this.elements.length;
  }
  get(index: number): Value {
    return this.elements[index] as Value;
  }
  add(other: ListValue): this {
    for (let index = 0; index < other.size; index++) this.elements.push(other.get(index));
    return this;
  }
}

export function concatLists(first: ListValue, second: ListValue): Value {
  if (first instanceof GrowingList) return first.add(second);
  if (first.concat !== undefined) return first.concat(second);
  if (first.size === 0) return second;
  if (second.size === 0) return first;
  if (first instanceof ConcatList || second instanceof ConcatList) {
    return new ArrayList([...elementsOf(first), ...elementsOf(second)]);
  }
  return new ConcatList(first, second);
}

export function* elementsOf(list: ListValue): Iterable<Value> {
  for (let index = 0; index < list.size; index++) yield list.get(index);
}
