import { append } from "../append/index.js";
import { getOwn } from "../own/index.js";
import { compareValues } from "./compare.js";
import { goText, goType, isList, isMap, sortedEntries } from "./go-value.js";
import { JsonPathError, type Node, type Slice } from "./node.js";

export interface EvaluateOptions {
  /** Whether a field that is not there is an empty result rather than an error. @default false */
  readonly allowMissingKeys?: boolean;
  /** How many values a path may hold at once; `..` in a row multiply. @default 1,000,000 */
  readonly maxValues?: number;
  /** What may still be visited: members, items and bytes of texts. Evaluations that share one are limited together. @default 2,000,000: the body of a range without an end runs twice, so that 28 of them would never be done */
  readonly visits?: Visits;
}

/** Counts down; the evaluation that would take it below zero fails. */
export interface Visits {
  left: number;
}

/** Values together with what went wrong on the way: upstream's filters look at the values all the same. */
interface Walked {
  readonly values: readonly unknown[];
  readonly error?: string;
}

/** Stands for what is not there at all, unlike null: the body of a range over nothing. */
const absent = Symbol("absent");
const utf8 = new TextEncoder();

/** The results of each node of a template, in order. @throws JsonPathError */
export function evaluate(nodes: readonly Node[], data: unknown, options: EvaluateOptions = {}): unknown[][] {
  return new Evaluation(nodes, options).block(0, data, 0).results;
}

class Evaluation {
  readonly #nodes: readonly Node[];
  readonly #allowMissingKeys: boolean;
  readonly #maxValues: number;
  readonly #visits: Visits;
  #marks: "range" | "end" | undefined;

  constructor(nodes: readonly Node[], options: EvaluateOptions) {
    const { allowMissingKeys = false, maxValues = 1_000_000, visits = { left: 2_000_000 } } = options;
    this.#nodes = nodes;
    this.#visits = visits;
    this.#allowMissingKeys = allowMissingKeys;
    this.#maxValues = maxValues;
  }

  /** Nodes from `start` up to the `end` of this range, or to the last. */
  block(start: number, data: unknown, depth: number): { results: unknown[][]; endedAt: number | undefined } {
    const results: unknown[][] = [];
    for (let i = start; i < this.#nodes.length; i++) {
      this.#marks = undefined;
      const { values, error } = this.#walk([data], this.#nodes[i] as Node, depth);
      if (error !== undefined) throw new JsonPathError(error);
      const marks = this.#marks as "range" | "end" | undefined;
      if (marks === "end") return { results, endedAt: i };
      if (marks !== "range") {
        results.push([...values]);
        continue;
      }
      let endedAt: number | undefined;
      for (const value of values) {
        const round = this.block(i + 1, value, depth + 1);
        append(results, round.results);
        endedAt = round.endedAt;
      }
      // A range over nothing still has to be passed over, and its body to be right.
      if (values.length === 0) endedAt = this.block(i + 1, absent, depth + 1).endedAt;
      // Without an end the body runs once more, outside of the range.
      i = endedAt ?? i;
    }
    return { results, endedAt: undefined };
  }

  #walkAll(input: readonly unknown[], nodes: readonly Node[], depth: number): Walked {
    let values = input;
    for (const node of nodes) {
      const walked = this.#walk(values, node, depth);
      if (walked.error !== undefined) return walked;
      if (walked.values.length > this.#maxValues) return { values: [], error: `more than ${this.#maxValues} values` };
      values = walked.values;
    }
    return { values };
  }

  /** Before the work is done. @throws JsonPathError when nothing is left */
  #visit(count: number): void {
    this.#visits.left -= count;
    if (this.#visits.left < 0) throw new JsonPathError("too many values are visited");
  }

  #walk(input: readonly unknown[], node: Node, depth: number): Walked {
    this.#visit(input.length);
    switch (node.kind) {
      case "list":
        return this.#walkAll(input, node.nodes, depth);
      case "text":
        return { values: [node.text] };
      case "literal":
        return { values: input.map(() => node.value) };
      case "field":
        return this.#field(input, node.name);
      case "wildcard":
        return { values: input.flatMap((value) => this.#children(value)) };
      case "recursive":
        return this.#recursive(input);
      case "slice":
        return sliceAll(input, node.slice);
      case "union":
        return this.#union(input, node.members, depth);
      case "filter":
        return this.#filter(input, node, depth);
      case "identifier":
        return this.#identifier(input, node.name, depth);
    }
  }

  #identifier(input: readonly unknown[], name: string, depth: number): Walked {
    if (name === "range") {
      this.#marks = "range";
      return { values: input };
    }
    if (name !== "end") return { values: input, error: `unrecognized identifier ${name}` };
    if (depth === 0) return { values: [], error: "not in range, nothing to end" };
    this.#marks = "end";
    return { values: [] };
  }

  #field(input: readonly unknown[], name: string): Walked {
    const values: unknown[] = [];
    for (const value of input) {
      const found = isMap(value) ? getOwn(value, name) : undefined;
      if (found !== undefined) values.push(found);
    }
    const missing = input.length > 0 && values.length === 0 && !this.#allowMissingKeys;
    return missing ? { values, error: `${name} is not found` } : { values };
  }

  /** Each value that has parts, before its parts. */
  #recursive(input: readonly unknown[]): Walked {
    const values: unknown[] = [];
    const pending = [...input].reverse();
    while (pending.length > 0) {
      const value = pending.pop();
      const children = this.#children(value);
      if (children.length === 0) continue;
      values.push(value);
      if (values.length > this.#maxValues) return { values: [], error: `more than ${this.#maxValues} values` };
      // The letters of a text are its parts, but have none themselves.
      if (typeof value !== "string") for (let i = children.length - 1; i >= 0; i--) pending.push(children[i]);
    }
    return { values };
  }

  #children(value: unknown): readonly unknown[] {
    this.#visit(
      isList(value) || typeof value === "string" ? value.length : isMap(value) ? Object.keys(value).length : 1,
    );
    return childrenOf(value);
  }

  #union(input: readonly unknown[], members: readonly (readonly Node[])[], depth: number): Walked {
    const values: unknown[] = [];
    for (const member of members) {
      const walked = this.#walkAll(input, member, depth);
      if (walked.error !== undefined) return { values: input, error: walked.error };
      append(values, walked.values);
    }
    return { values };
  }

  #filter(
    input: readonly unknown[],
    { left, operator, right }: Extract<Node, { kind: "filter" }>,
    depth: number,
  ): Walked {
    const values: unknown[] = [];
    for (const list of input) {
      if (!isList(list))
        return { values: input, error: `${textOf(list)} is not array or slice and cannot be filtered` };
      this.#visit(list.length);
      for (const item of list) {
        const lefts = this.#walkAll([item], left, depth);
        if (operator === "exists") {
          if (lefts.values.length > 0) values.push(item);
          continue;
        }
        const wrongLeft = lefts.error ?? moreThanOne(lefts);
        if (wrongLeft !== undefined) return { values: input, error: wrongLeft };
        if (lefts.values.length === 0) continue;
        const rights = this.#walkAll([item], right, depth);
        const wrongRight = rights.error ?? moreThanOne(rights);
        if (wrongRight !== undefined) return { values: input, error: wrongRight };
        if (rights.values.length === 0) continue;
        const compared = compareValues(lefts.values[0], operator, rights.values[0]);
        if ("error" in compared) return { values, error: compared.error };
        if (compared.holds) values.push(item);
      }
    }
    return { values };
  }
}

const moreThanOne = ({ values }: Walked): string | undefined =>
  values.length > 1 ? "can only compare one element at a time" : undefined;
const textOf = (value: unknown): string => (value === absent ? "<invalid reflect.Value>" : goText(value));

/** Members of a map, items of a list, bytes of a text. */
function childrenOf(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  if (typeof value === "string") return [...utf8.encode(value)];
  return isMap(value) ? sortedEntries(value).map(([, member]) => member) : [];
}

function sliceAll(input: readonly unknown[], slice: Slice): Walked {
  const values: unknown[] = [];
  for (const list of input) {
    if (list === null) continue;
    if (!isList(list)) return { values: input, error: `${goType(list)} is not array or slice` };
    const { length } = list;
    const wrap = (at: number, derived: boolean): number => (at < 0 || (at === 0 && derived) ? at + length : at);
    const start = wrap(slice.start ?? 0, false);
    const end = wrap(slice.end ?? length, slice.single);
    // Asking for nothing is fine, and ends it: upstream does not look at the other lists.
    if (start === end) return { values };
    if (start >= length || start < 0)
      return { values: input, error: `array index out of bounds: index ${start}, length ${length}` };
    if (end > length || end < 0)
      return { values: input, error: `array index out of bounds: index ${end - 1}, length ${length}` };
    if (start > end) return { values: input, error: `starting index ${start} is greater than ending index ${end}` };
    const { step = 1 } = slice;
    if (step <= 0) return { values: input, error: "step must be > 0" };
    for (let i = start; i < end; i += step) values.push(list[i]);
  }
  return { values };
}
