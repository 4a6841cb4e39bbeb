import { type BranchNode, type Command, type Operand, type Pipe, TemplateError, type TemplateNode } from "./syntax.js";
import { type Token, tokenize } from "./tokens.js";

/** Statements of the language that KWOK's own stages do without. */
const refusedStatements = new Set(["define", "template", "block"]);

/** Characters of a template, variables that are in sight at once, and actions inside each other, which take a part of the stack. */
const [maxLength, maxVariables, maxDepth] = [256 * 1024, 1000, 100];

/**
 * Parses a template. Functions are known by name when it is parsed, as in Go, so that a Stage with a function that does not
 * exist is refused before it is played. @throws TemplateError
 */
export function parseTemplate(source: string, isFunction: (name: string) => boolean): TemplateNode[] {
  if (source.length > maxLength) throw new TemplateError(1, `the template is longer than ${maxLength} characters`);
  return new TemplateParser(source, isFunction).template();
}

class TemplateParser {
  readonly #tokens: readonly Token[];
  readonly #isFunction: (name: string) => boolean;
  /** Names of the variables in sight, innermost last. */
  readonly #variables = ["$"];
  #at = 0;
  #depth = 0;

  constructor(source: string, isFunction: (name: string) => boolean) {
    this.#tokens = tokenize(source);
    this.#isFunction = isFunction;
  }

  template(): TemplateNode[] {
    return this.#nodes(false);
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }
  #lineHere(): number {
    return (this.#tokens[this.#at] ?? this.#tokens.at(-1))?.line ?? 1;
  }
  #fail(problem: string): never {
    throw new TemplateError(this.#lineHere(), problem);
  }
  #isSign(text: string): boolean {
    const token = this.#peek();
    return token?.kind === "sign" && token.text === text;
  }
  #takeSign(text: string): boolean {
    return this.#isSign(text) && this.#at++ >= 0;
  }
  #isEnd(): boolean {
    return this.#peek()?.kind === "close" || this.#isSign(")");
  }

  #close(): void {
    if (this.#peek()?.kind !== "close") this.#fail("unexpected token in an action");
    this.#at++;
  }

  #operand(): Operand {
    const token = this.#peek();
    if (!token) return this.#fail("unexpected end of the template");
    let base: Operand;
    this.#at++;
    switch (token.kind) {
      case "literal":
        return { kind: "literal", value: token.value };
      case "variable":
        if (!this.#variables.includes(token.text)) {
          this.#at--;
          return this.#fail(`undefined variable "${token.text}"`);
        }
        base = { kind: "variable", name: token.text };
        break;
      case "field":
        base = { kind: "fields", of: { kind: "dot" }, names: [token.text] };
        break;
      case "word":
        if (token.text === "true" || token.text === "false") return { kind: "literal", value: token.text === "true" };
        if (token.text === "nil") return { kind: "nil" };
        if (!this.#isFunction(token.text)) {
          this.#at--;
          return this.#fail(`function "${token.text}" is not supported`);
        }
        return { kind: "function", name: token.text };
      case "sign":
        if (token.text === ".") {
          base = { kind: "dot" };
          break;
        }
        if (token.text === "(") {
          base = { kind: "pipe", pipe: this.#pipe(false) };
          if (!this.#takeSign(")")) this.#fail("unclosed left parenthesis");
          break;
        }
        this.#at--;
        return this.#fail(`unexpected "${token.text}"`);
      default:
        this.#at--;
        return this.#fail("missing value");
    }
    const names: string[] = [];
    for (let next = this.#peek(); next?.kind === "field" && next.glued; next = this.#peek()) {
      names.push(next.text);
      this.#at++;
    }
    return names.length === 0
      ? base
      : base.kind === "fields"
        ? { ...base, names: [...base.names, ...names] }
        : { kind: "fields", of: base, names };
  }

  #command(): Command {
    const operands: Operand[] = [];
    while (!this.#isEnd() && !this.#isSign("|")) operands.push(this.#operand());
    const [first, ...rest] = operands;
    if (!first) return this.#fail("missing value for command");
    if (rest.length > 0 && first.kind !== "function") return this.#fail("can't give argument to non-function");
    return operands;
  }

  #declared(allowsTwo: boolean): { variables: string[]; isAssignment: boolean } {
    const begin = this.#at;
    const names: string[] = [];
    for (;;) {
      const token = this.#peek();
      if (token?.kind !== "variable" || token.text === "$") break;
      names.push(token.text);
      this.#at++;
      if (allowsTwo && names.length === 1 && this.#takeSign(",")) continue;
      const isAssignment = this.#isSign("=");
      if (this.#takeSign(":=") || this.#takeSign("=")) return { variables: names, isAssignment };
      break;
    }
    this.#at = begin;
    return { variables: [], isAssignment: false };
  }

  #pipe(allowsTwo: boolean): Pipe {
    this.#deepen();
    const head = this.#declared(allowsTwo);
    const commands = [this.#command()];
    while (this.#takeSign("|")) commands.push(this.#command());
    this.#depth--;
    if (this.#variables.length > maxVariables) this.#fail(`there are more than ${maxVariables} variables`);
    for (const name of head.variables) {
      if (head.isAssignment && !this.#variables.includes(name)) this.#fail(`undefined variable "${name}"`);
      if (!head.isAssignment) this.#variables.push(name);
    }
    return { ...head, commands };
  }

  #deepen(): void {
    if (++this.#depth > maxDepth) this.#fail(`it is nested more than ${maxDepth} levels deep`);
  }

  #branch(kind: BranchNode["kind"]): BranchNode {
    this.#deepen();
    const line = this.#lineHere();
    const outer = this.#variables.length;
    const head = this.#pipe(kind === "range");
    this.#close();
    const body = this.#nodes(true);
    const otherwise = this.#ending() === "else" ? this.#elsePart(kind) : [];
    this.#variables.length = outer;
    this.#depth--;
    return { kind, pipe: head, body, otherwise, line };
  }

  /** What stands behind `else`, up to the `end` that ends both. */
  #elsePart(kind: BranchNode["kind"]): TemplateNode[] {
    const token = this.#peek();
    if (token?.kind === "word" && token.text === kind && kind !== "range") {
      this.#at++;
      return [this.#branch(kind)];
    }
    this.#close();
    const found = this.#nodes(true);
    if (this.#ending() !== "end") this.#fail("expected end");
    return found;
  }

  /** Reads `end` or `else` with which a list of nodes stopped. */
  #ending(): "end" | "else" {
    const token = this.#peek();
    if (token?.kind !== "word") return this.#fail("unexpected end of the template: an {{end}} is missing");
    this.#at++;
    if (token.text === "else") return "else";
    this.#close();
    return "end";
  }

  /** Nodes up to the end of the template, or to `end` or `else`, whose word is next then. */
  #nodes(isInside: boolean): TemplateNode[] {
    const found: TemplateNode[] = [];
    for (let token = this.#peek(); token; token = this.#peek()) {
      const { line } = token;
      this.#at++;
      if (token.kind === "text") {
        found.push({ kind: "text", text: token.text });
        continue;
      }
      const head = this.#peek();
      const word = head?.kind === "word" ? head.text : undefined;
      if (word === "end" || word === "else") {
        if (!isInside) this.#fail(`unexpected {{${word}}}`);
        return found;
      }
      if (word !== undefined && refusedStatements.has(word)) this.#fail(`{{${word}}} is not supported`);
      if (word === "if" || word === "with" || word === "range") {
        this.#at++;
        found.push(this.#branch(word));
      } else if (word === "break" || word === "continue") {
        this.#at++;
        found.push({ kind: word });
        this.#close();
      } else if (head?.kind === "close")
        this.#at++; // a comment
      else {
        found.push({ kind: "action", pipe: this.#pipe(false), line });
        this.#close();
      }
    }
    if (isInside) this.#fail("unexpected end of the template: an {{end}} is missing");
    return found;
  }
}
