import { getOwn } from "@coxswain/apimachinery/own";
import { type Budget, OverBudget } from "../budget.js";
import { formatValue, type GoValue, isMap, isTrue, sortedKeys, typeOf } from "./go-values.js";
import { parseTemplate } from "./parse.js";
import { type BranchNode, type Command, type Operand, type Pipe, TemplateError, type TemplateNode } from "./syntax.js";

/** A function of templates. @throws Error in words that the template's line is put before */
export type TemplateFunction = (...args: GoValue[]) => GoValue;
export type TemplateFunctions = ReadonlyMap<string, TemplateFunction>;

/** A template that was parsed once. */
export interface Template {
  /**
   * @param budget of steps, depth and bytes: of what is written, and of each text on the way
   * @throws TemplateError where Go's templates would stop; OverBudget
   */
  render(data: GoValue, functions: TemplateFunctions, budget: Budget): string;
}

/** Characters that are made or looked at in the time of one step. */
const charactersPerStep = 32;
/** Variables that are looked through in the time of one step. */
const variablesPerStep = 16;

/** Functions that look at no more of a list or a map than that it is there; others may write all that is in it. */
const shallowFunctions = new Set(
  "not eq ne lt le gt ge index len default empty coalesce ternary list first last rest has keys".split(" "),
);

/** Parses a template of Go's text/template language. @throws TemplateError; see `parseTemplate` for what is refused */
export function compileTemplate(source: string, isFunction: (name: string) => boolean): Template {
  const nodes = parseTemplate(source, isFunction);
  return {
    render: (data, functions, budget) => {
      const run = new Rendering(functions, data, budget);
      run.all(nodes, data);
      return run.text;
    },
  };
}

class Rendering {
  text = "";
  readonly #functions: TemplateFunctions;
  readonly #variables: { readonly name: string; value: GoValue }[];
  readonly #budget: Budget;
  #line = 1;

  constructor(functions: TemplateFunctions, data: GoValue, budget: Budget) {
    this.#budget = budget;
    this.#functions = functions;
    this.#variables = [{ name: "$", value: data }];
  }

  /** Returns what ended the nodes early. */
  all(nodes: readonly TemplateNode[], dot: GoValue): "break" | "continue" | undefined {
    for (const node of nodes) {
      this.#budget.step();
      switch (node.kind) {
        case "text":
          this.#write(node.text);
          break;
        case "action": {
          this.#line = node.line;
          const value = this.#pipe(node.pipe, dot);
          if (node.pipe.variables.length > 0) break;
          this.#measure(value);
          this.#write(formatValue(value, "<no value>"));
          break;
        }
        case "break":
        case "continue":
          return node.kind;
        case "if":
        case "with":
        case "range": {
          const ended = this.#branch(node, dot);
          if (ended) return ended;
          break;
        }
      }
    }
    return undefined;
  }

  #write(text: string): void {
    this.#budget.step(text.length / charactersPerStep);
    this.#budget.hold(text.length);
    this.text += text;
  }

  /** Counts all that is in a value, as often as it would be written: lists may hold each other many times. */
  #measure(value: GoValue): void {
    this.#budget.step();
    if (typeof value === "string") return this.#measureText(value);
    if (typeof value !== "object" || value === null) return;
    this.#budget.enter();
    if (Array.isArray(value)) for (const each of value) this.#measure(each);
    else
      for (const [key, each] of Object.entries(value)) {
        this.#measureText(key);
        this.#measure(each);
      }
    this.#budget.leave();
  }

  #measureText(text: string): void {
    this.#budget.step(text.length / charactersPerStep);
    this.#budget.check(text.length);
  }

  /** Counts what is right inside of a value. */
  #measureShallow(value: GoValue): void {
    if (typeof value === "string") this.#measureText(value);
    else if (Array.isArray(value)) this.#budget.step(value.length);
  }

  #error(problem: string): TemplateError {
    return new TemplateError(this.#line, problem);
  }

  #branch(node: BranchNode, dot: GoValue): "break" | "continue" | undefined {
    this.#line = node.line;
    const outer = this.#variables.length;
    const ended = node.kind === "range" ? this.#range(node, dot) : this.#choose(node, dot);
    this.#variables.length = outer;
    return ended;
  }

  #choose(node: BranchNode, dot: GoValue): "break" | "continue" | undefined {
    const value = this.#pipe(node.pipe, dot);
    if (!isTrue(value)) return this.all(node.otherwise, dot);
    return this.all(node.body, node.kind === "with" ? value : dot);
  }

  /** `break` and `continue` end here. */
  #range(node: BranchNode, dot: GoValue): "break" | "continue" | undefined {
    const value = this.#value(node.pipe, dot);
    const items = this.#itemsOf(value);
    if (items.length === 0) return this.all(node.otherwise, dot);
    const { variables } = node.pipe;
    for (const [key, item] of items) {
      this.#budget.step();
      const before = this.#variables.length;
      if (variables.length === 2) this.#give(node.pipe, [key, item]);
      else if (variables.length === 1) this.#give(node.pipe, [item]);
      const ended = this.all(node.body, item);
      this.#variables.length = before;
      if (ended === "break") break;
    }
    return undefined;
  }

  #itemsOf(value: GoValue): [GoValue, GoValue][] {
    if (value === undefined || value === null) return [];
    this.#measureShallow(value);
    if (Array.isArray(value)) return value.map((item, i) => [i, item]);
    if (isMap(value)) return sortedKeys(value).map((key) => [key, value[key]]);
    if (typeof value === "number" && Number.isInteger(value)) {
      this.#budget.step(Math.max(0, value));
      return Array.from({ length: Math.max(0, value) }, (_, i) => [i, i]);
    }
    throw this.#error(`range can't iterate over ${formatValue(value)}`);
  }

  #give({ variables, isAssignment }: Pipe, values: readonly GoValue[]): void {
    for (const [i, name] of variables.entries()) {
      const known = isAssignment ? this.#variables.findLast((each) => each.name === name) : undefined;
      if (known) known.value = values[i];
      else this.#variables.push({ name, value: values[i] });
    }
  }

  #pipe(pipe: Pipe, dot: GoValue): GoValue {
    const value = this.#value(pipe, dot);
    this.#give(pipe, [value]);
    return value;
  }

  #value(pipe: Pipe, dot: GoValue): GoValue {
    let last: { readonly value: GoValue } | undefined;
    for (const command of pipe.commands) last = { value: this.#command(command, dot, last) };
    return last?.value;
  }

  #command(command: Command, dot: GoValue, piped: { readonly value: GoValue } | undefined): GoValue {
    const [first, ...rest] = command as [Operand, ...Operand[]];
    if (first.kind !== "function") {
      if (piped) throw this.#error("can't give argument to non-function");
      return this.#operand(first, dot);
    }
    if (first.name === "and" || first.name === "or") return this.#shortCircuit(first.name, rest, dot, piped);
    const args = rest.map((each) => this.#operand(each, dot));
    return this.#call(first.name, piped ? [...args, piped.value] : args);
  }

  /** Arguments behind the one that decides are not evaluated. */
  #shortCircuit(
    name: "and" | "or",
    operands: readonly Operand[],
    dot: GoValue,
    piped: { readonly value: GoValue } | undefined,
  ): GoValue {
    let value: GoValue;
    for (const each of operands) {
      value = this.#operand(each, dot);
      if (isTrue(value) === (name === "or")) return value;
    }
    if (piped) return piped.value;
    if (operands.length === 0) throw this.#error(`wrong number of args for ${name}: want at least 1 got 0`);
    return value;
  }

  #call(name: string, args: readonly GoValue[]): GoValue {
    const call = this.#functions.get(name);
    if (!call) throw this.#error(`function "${name}" is not there for this kind of object`);
    for (const arg of args)
      if (shallowFunctions.has(name)) this.#measureShallow(arg);
      else this.#measure(arg);
    try {
      const value = call(...args);
      this.#measureShallow(value);
      return value;
    } catch (error) {
      if (error instanceof OverBudget) throw error;
      throw this.#error(`error calling ${name}: ${(error as Error).message}`);
    }
  }

  #operand(operand: Operand, dot: GoValue): GoValue {
    this.#budget.step();
    switch (operand.kind) {
      case "dot":
        return dot;
      case "nil":
        return null;
      case "literal":
        return operand.value;
      case "variable":
        this.#budget.step(this.#variables.length / variablesPerStep);
        return this.#variables.findLast(({ name }) => name === operand.name)?.value;
      case "function":
        return this.#command([operand], dot, undefined);
      case "pipe":
        return this.#value(operand.pipe, dot);
      case "fields":
        return operand.names.reduce((value, name) => this.#member(value, name), this.#operand(operand.of, dot));
    }
  }

  #member(value: GoValue, name: string): GoValue {
    if (value === undefined) return undefined;
    if (value === null) throw this.#error(`nil pointer evaluating interface {}.${name}`);
    if (!isMap(value)) throw this.#error(`can't evaluate field ${name} in type ${typeOf(value)}`);
    return getOwn(value, name);
  }
}
