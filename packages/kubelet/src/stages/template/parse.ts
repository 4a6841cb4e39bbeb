import { type BranchNode, type Command, type Operand, type Pipe, TemplateError, type TemplateNode } from "./syntax.js";
import { type Token, tokenize } from "./tokens.js";

/** Statements of the language that KWOK's own stages do without. */
const refusedStatements = new Set(["define", "template", "block"]);

/**
 * Parses a template. Functions are known by name when it is parsed, as in Go, so that a Stage with a function that does not
 * exist is refused before it is played. @throws TemplateError
 */
export function parseTemplate(source: string, isFunction: (name: string) => boolean): TemplateNode[] {
  const tokens = tokenize(source);
  let at = 0;
  /** Names of the variables in sight, innermost last. */
  const variables = ["$"];

  const peek = (): Token | undefined => tokens[at];
  const lineHere = (): number => (tokens[at] ?? tokens.at(-1))?.line ?? 1;
  const fail = (problem: string): never => {
    throw new TemplateError(lineHere(), problem);
  };
  const isSign = (text: string): boolean => {
    const token = peek();
    return token?.kind === "sign" && token.text === text;
  };
  const takeSign = (text: string): boolean => isSign(text) && at++ >= 0;
  const isEnd = (): boolean => peek()?.kind === "close" || isSign(")");

  function close(): void {
    if (peek()?.kind !== "close") fail("unexpected token in an action");
    at++;
  }

  function operand(): Operand {
    const token = peek();
    if (!token) return fail("unexpected end of the template");
    let base: Operand;
    at++;
    switch (token.kind) {
      case "literal":
        return { kind: "literal", value: token.value };
      case "variable":
        if (!variables.includes(token.text)) {
          at--;
          return fail(`undefined variable "${token.text}"`);
        }
        base = { kind: "variable", name: token.text };
        break;
      case "field":
        base = { kind: "fields", of: { kind: "dot" }, names: [token.text] };
        break;
      case "word":
        if (token.text === "true" || token.text === "false") return { kind: "literal", value: token.text === "true" };
        if (token.text === "nil") return { kind: "nil" };
        if (!isFunction(token.text)) {
          at--;
          return fail(`function "${token.text}" is not supported`);
        }
        return { kind: "function", name: token.text };
      case "sign":
        if (token.text === ".") {
          base = { kind: "dot" };
          break;
        }
        if (token.text === "(") {
          base = { kind: "pipe", pipe: pipe(false) };
          if (!takeSign(")")) fail("unclosed left parenthesis");
          break;
        }
        at--;
        return fail(`unexpected "${token.text}"`);
      default:
        at--;
        return fail("missing value");
    }
    const names: string[] = [];
    for (let next = peek(); next?.kind === "field" && next.glued; next = peek()) {
      names.push(next.text);
      at++;
    }
    return names.length === 0
      ? base
      : base.kind === "fields"
        ? { ...base, names: [...base.names, ...names] }
        : { kind: "fields", of: base, names };
  }

  function command(): Command {
    const operands: Operand[] = [];
    while (!isEnd() && !isSign("|")) operands.push(operand());
    const [first, ...rest] = operands;
    if (!first) return fail("missing value for command");
    if (rest.length > 0 && first.kind !== "function") return fail("can't give argument to non-function");
    return operands;
  }

  function declared(allowsTwo: boolean): { variables: string[]; isAssignment: boolean } {
    const begin = at;
    const names: string[] = [];
    for (;;) {
      const token = peek();
      if (token?.kind !== "variable" || token.text === "$") break;
      names.push(token.text);
      at++;
      if (allowsTwo && names.length === 1 && takeSign(",")) continue;
      const isAssignment = isSign("=");
      if (takeSign(":=") || takeSign("=")) return { variables: names, isAssignment };
      break;
    }
    at = begin;
    return { variables: [], isAssignment: false };
  }

  function pipe(allowsTwo: boolean): Pipe {
    const head = declared(allowsTwo);
    const commands = [command()];
    while (takeSign("|")) commands.push(command());
    for (const name of head.variables) {
      if (head.isAssignment && !variables.includes(name)) fail(`undefined variable "${name}"`);
      if (!head.isAssignment) variables.push(name);
    }
    return { ...head, commands };
  }

  function branch(kind: BranchNode["kind"]): BranchNode {
    const line = lineHere();
    const outer = variables.length;
    const head = pipe(kind === "range");
    close();
    const body = nodes(true);
    const otherwise = ending() === "else" ? elsePart(kind) : [];
    variables.length = outer;
    return { kind, pipe: head, body, otherwise, line };
  }

  /** What stands behind `else`, up to the `end` that ends both. */
  function elsePart(kind: BranchNode["kind"]): TemplateNode[] {
    const token = peek();
    if (token?.kind === "word" && token.text === kind && kind !== "range") {
      at++;
      return [branch(kind)];
    }
    close();
    const found = nodes(true);
    if (ending() !== "end") fail("expected end");
    return found;
  }

  /** Reads `end` or `else` with which a list of nodes stopped. */
  function ending(): "end" | "else" {
    const token = peek();
    if (token?.kind !== "word") return fail("unexpected end of the template: an {{end}} is missing");
    at++;
    if (token.text === "else") return "else";
    close();
    return "end";
  }

  /** Nodes up to the end of the template, or to `end` or `else`, whose word is next then. */
  function nodes(isInside: boolean): TemplateNode[] {
    const found: TemplateNode[] = [];
    for (let token = peek(); token; token = peek()) {
      const { line } = token;
      at++;
      if (token.kind === "text") {
        found.push({ kind: "text", text: token.text });
        continue;
      }
      const head = peek();
      const word = head?.kind === "word" ? head.text : undefined;
      if (word === "end" || word === "else") {
        if (!isInside) fail(`unexpected {{${word}}}`);
        return found;
      }
      if (word !== undefined && refusedStatements.has(word)) fail(`{{${word}}} is not supported`);
      if (word === "if" || word === "with" || word === "range") {
        at++;
        found.push(branch(word));
      } else if (word === "break" || word === "continue") {
        at++;
        found.push({ kind: word });
        close();
      } else if (head?.kind === "close")
        at++; // a comment
      else {
        found.push({ kind: "action", pipe: pipe(false), line });
        close();
      }
    }
    if (isInside) fail("unexpected end of the template: an {{end}} is missing");
    return found;
  }

  return nodes(false);
}
