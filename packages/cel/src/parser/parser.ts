import { type Expr, type MapEntry, type StructField } from "../ast/expr.js";
import { binaryOperators, operators } from "../ast/operators.js";
import { Issues } from "../source/issues.js";
import { codePointLength, type Location, noLocation, Source } from "../source/source.js";
import { ExprBuilder } from "./expr-builder.js";
import { lex } from "./lexer.js";
import { defaultLimits, type ParserLimits } from "./limits.js";
import { literalOf } from "./literal.js";
import { type Macro, MacroError, macroKey } from "./macro.js";
import { Nesting, NestingLimit, type Rule } from "./nesting.js";
import { syntaxErrors } from "./syntax/syntax-errors.js";
import { reservedNames, type Token, type TokenKind } from "./token.js";
import { ParseFailure, TokenCursor } from "./token-cursor.js";

export interface ParserOptions {
  readonly macros: readonly Macro[];
  /** `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`. @default false */
  readonly optionalSyntax?: boolean;
  /** Names in backticks. @default false */
  readonly escapedNames?: boolean;
  readonly limits?: Partial<ParserLimits>;
}

export interface ParsedExpr {
  readonly source: Source;
  readonly expr: Expr;
  /** Where each node begins. */
  readonly offsets: ReadonlyMap<number, number>;
}

export type ParseResult = { readonly parsed: ParsedExpr; readonly issues: Issues };

/** Parses an expression; it is good only where there are no issues. Linear in the text. */
export function parse(text: string, options: ParserOptions): ParseResult {
  const source = new Source(text);
  const issues = new Issues(source);
  const limits = { ...defaultLimits, ...options.limits };
  const size = codePointLength(text);
  if (size > limits.expressionSize) {
    issues.report(
      0,
      noLocation,
      `expression code point size exceeds limit: size: ${size}, limit ${limits.expressionSize}`,
    );
    return { parsed: { source, expr: { kind: "unspecified", id: 0 }, offsets: new Map() }, issues };
  }
  const parser = new Parser(issues, options, limits);
  return { parsed: { source, expr: parser.parse(), offsets: parser.builder.offsets }, issues };
}

class Parser {
  readonly builder = new ExprBuilder();
  readonly #issues: Issues;
  readonly #options: ParserOptions;
  readonly #macros = new Map<string, Macro>();
  readonly #hasLexicalErrors: boolean;
  readonly #in: TokenCursor;
  readonly #nesting: Nesting;

  constructor(issues: Issues, options: ParserOptions, limits: ParserLimits) {
    this.#issues = issues;
    this.#options = options;
    this.#nesting = new Nesting(limits.recursionDepth);
    for (const macro of options.macros) this.#macros.set(macroKey(macro.name, macro.args, macro.isMember), macro);
    const { tokens, errors } = lex(issues.source.text);
    this.#in = new TokenCursor(tokens);
    this.#hasLexicalErrors = errors.length > 0;
  }

  parse(): Expr {
    try {
      const expr = this.#expr();
      if (this.#in.kind !== "EOF") throw new ParseFailure();
      return this.#hasLexicalErrors ? this.#explain() : expr;
    } catch (error) {
      if (error instanceof NestingLimit) this.#issues.report(0, noLocation, error.message);
      else if (error instanceof ParseFailure) return this.#explain();
      else throw error;
      return this.builder.unspecified(0);
    }
  }

  /** The text is no expression: a second, slower pass finds upstream's words for it. */
  #explain(): Expr {
    const { source } = this.#issues;
    for (const { offset, message } of syntaxErrors(source.text))
      this.#issues.report(0, offset === undefined ? noLocation : this.#place(offset), message);
    return this.builder.unspecified(0);
  }

  /** Upstream's lexer puts the end of an empty text before its first column. */
  #place(offset: number): Location {
    const { source } = this.#issues;
    return source.text === "" ? { line: 1, column: -1 } : source.location(offset);
  }

  #report(expr: Expr, message: string): Expr {
    const { source } = this.#issues;
    this.#issues.report(expr.id, source.location(this.builder.offsets.get(expr.id) ?? 0), message);
    return expr;
  }

  #error(offset: number, message: string): Expr {
    return this.#report(this.builder.unspecified(offset), message);
  }

  #expr(): Expr {
    const depth = this.#nesting.depths.expr;
    this.#nesting.enter("expr");
    const condition = this.#logical("||");
    const token = this.#in.accept("?");
    if (token === undefined) {
      this.#nesting.depths.expr = depth;
      return condition;
    }
    const id = this.builder.id(token.start);
    const conditionHeight = this.#nesting.height;
    const whenTrue = this.#logical("||");
    const trueHeight = this.#nesting.height;
    this.#in.expect(":");
    const whenFalse = this.#expr();
    this.#nesting.deepen(conditionHeight, trueHeight, this.#nesting.height);
    this.#nesting.depths.expr = depth;
    return this.builder.call(id, operators.conditional, [condition, whenTrue, whenFalse]);
  }

  #logical(kind: "||" | "&&"): Expr {
    const operand = (): Expr => (kind === "||" ? this.#logical("&&") : this.#relation());
    const terms = [operand()];
    const ids: number[] = [];
    let height = this.#nesting.height;
    for (let token = this.#in.accept(kind); token !== undefined; token = this.#in.accept(kind)) {
      terms.push(operand());
      height = Math.max(height, this.#nesting.height);
      ids.push(this.builder.id(token.start));
    }
    this.#nesting.height = height;
    return this.builder.balanced(kind === "||" ? operators.logicalOr : operators.logicalAnd, terms, ids);
  }

  #relation(): Expr {
    const depth = this.#nesting.depths.relation;
    this.#nesting.enter("relation");
    const expr = this.#chain("relation", relations, () => this.#sum());
    this.#nesting.depths.relation = depth;
    return expr;
  }

  #sum(): Expr {
    const depth = this.#nesting.depths.calc;
    this.#nesting.enter("calc");
    const expr = this.#chain("calc", sums, () => this.#chain("calc", products, () => this.#unary()));
    this.#nesting.depths.calc = depth;
    return expr;
  }

  /** `a op b op c`, from the left. */
  #chain(rule: Rule, kinds: ReadonlySet<TokenKind>, operand: () => Expr): Expr {
    let left = operand();
    while (kinds.has(this.#in.kind)) {
      const token = this.#in.next();
      const height = this.#nesting.height;
      this.#nesting.enter(rule);
      const depth = this.#nesting.depths[rule];
      this.#nesting.enter(rule);
      const id = this.builder.id(token.start);
      const right = operand();
      this.#nesting.depths[rule] = depth;
      this.#nesting.deepen(height, this.#nesting.height);
      left = this.builder.call(id, binaryOperators.get(token.kind) as string, [left, right]);
    }
    return left;
  }

  #unary(): Expr {
    const kind = this.#in.kind;
    if (kind !== "!" && kind !== "-") return this.#member();
    // A minus before a number belongs to the literal, unless more than one stand there.
    const isLiteral = kind === "-" && this.#in.isNumberNext;
    if (isLiteral) return this.#member();
    const first = this.#in.next();
    let count = 1;
    while (this.#in.accept(kind) !== undefined) count++;
    if (count % 2 === 0) return this.#member();
    const id = this.builder.id(first.start);
    const operand = this.#member();
    return this.builder.call(id, kind === "!" ? operators.logicalNot : operators.negate, [operand]);
  }

  #member(): Expr {
    const depth = this.#nesting.depths.member;
    this.#nesting.enter("member");
    let expr = this.#primary();
    for (;;) {
      const kind = this.#in.kind;
      if (kind !== "." && kind !== "[") break;
      const operator = this.#in.next();
      this.#nesting.enter("member");
      expr = kind === "." ? this.#selection(expr, operator) : this.#index(expr, operator);
    }
    this.#nesting.depths.member = depth;
    return expr;
  }

  #selection(operand: Expr, operator: Token): Expr {
    const height = this.#nesting.height;
    const isOptional = this.#in.accept("?") !== undefined;
    const name = this.#in.expectName();
    if (name.kind === "IDENTIFIER" && !isOptional && this.#in.kind === "(") return this.#memberCall(operand, name);
    const field = this.#fieldName(name);
    this.#nesting.deepen(height);
    if (!isOptional) return this.builder.select(operator.start, operand, field);
    if (this.#options.optionalSyntax !== true) return this.#error(operator.start, "unsupported syntax '.?'");
    const id = this.builder.id(operator.start);
    return this.builder.call(id, operators.optSelect, [operand, this.builder.literal(name.start, field)]);
  }

  #fieldName(token: Token): string {
    if (token.kind === "IDENTIFIER") return token.text;
    if (this.#options.escapedNames !== true) this.#error(token.start, "unsupported syntax: '`'");
    return token.text.slice(1, -1);
  }

  #memberCall(target: Expr, name: Token): Expr {
    const height = this.#nesting.height;
    const open = this.#in.expect("(");
    const id = this.builder.id(open.start);
    const args = this.#args(")");
    this.#nesting.deepen(height, this.#nesting.height);
    return this.#callOrMacro({ id, name: name.text, target, args });
  }

  #index(target: Expr, operator: Token): Expr {
    const height = this.#nesting.height;
    const isOptional = this.#in.accept("?") !== undefined;
    const id = this.builder.id(operator.start);
    const index = this.#expr();
    this.#in.expect("]");
    this.#nesting.deepen(height, this.#nesting.height);
    if (!isOptional) return this.builder.call(id, operators.index, [target, index]);
    if (this.#options.optionalSyntax !== true) return this.#error(operator.start, "unsupported syntax '[?'");
    return this.builder.call(id, operators.optIndex, [target, index]);
  }

  /** Expressions up to the closing bracket, which is read too. */
  #args(close: TokenKind): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.#in.kind !== close) {
      do {
        args.push(this.#expr());
        height = Math.max(height, this.#nesting.height);
      } while (this.#in.accept(",") !== undefined);
    }
    this.#in.expect(close);
    this.#nesting.height = height;
    return args;
  }

  #callOrMacro(call: { id: number; name: string; target?: Expr; args: readonly Expr[] }): Expr {
    const { id, name, target, args } = call;
    const macro = this.#macros.get(macroKey(name, args.length, target !== undefined));
    if (macro !== undefined) {
      const offset = this.builder.offsets.get(id) ?? 0;
      const expanded = macro.expand(this.builder.macroBuilder(offset), target, args);
      if (expanded instanceof MacroError)
        return this.#error(this.builder.offsets.get(expanded.at.id) ?? offset, expanded.message);
      if (expanded !== undefined) return expanded;
    }
    return this.builder.call(id, name, args, target);
  }

  #primary(): Expr {
    this.#nesting.height = 0;
    const token = this.#in.token;
    switch (token.kind) {
      case ".":
      case "IDENTIFIER":
        return this.#named();
      case "(": {
        this.#in.next();
        const expr = this.#expr();
        this.#in.expect(")");
        return expr;
      }
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      default:
        return this.#literal();
    }
  }

  /** A variable, a function call, or a message `a.b.C{…}`. */
  #named(): Expr {
    const dot = this.#in.accept(".");
    const first = this.#in.expect("IDENTIFIER");
    const start = (dot ?? first).start;
    const prefix = dot === undefined ? "" : ".";
    const message = this.#in.messageName();
    if (message !== undefined) return this.#message(`${prefix}${first.text}${message}`);
    if (reservedNames.has(first.text)) {
      const error = this.#error(start, `reserved identifier: ${first.text}`);
      if (this.#in.accept("(") !== undefined) this.#args(")");
      return error;
    }
    const name = `${prefix}${first.text}`;
    const open = this.#in.accept("(");
    if (open === undefined) return this.builder.ident(first.start, name);
    const id = this.builder.id(open.start);
    return this.#callOrMacro({ id, name, args: this.#args(")") });
  }

  #message(typeName: string): Expr {
    const id = this.builder.id(this.#in.expect("{").start);
    const fields: StructField[] = [];
    let height = 0;
    while (!this.#in.is("}") && !this.#in.is(",")) {
      const start = this.#in.token.start;
      const optional = this.#in.accept("?") !== undefined;
      const name = this.#in.expectName();
      const colon = this.#in.expect(":");
      const fieldId = this.builder.id(colon.start);
      if (optional && this.#options.optionalSyntax !== true) this.#error(start, "unsupported syntax '?'");
      const field = this.#fieldName(name);
      const value = this.#expr();
      height = Math.max(height, this.#nesting.height);
      fields.push({ id: fieldId, name: field, value, optional });
      if (this.#in.accept(",") === undefined || this.#in.is("}")) break;
    }
    if (fields.length === 0) this.#in.accept(",");
    this.#in.expect("}");
    this.#nesting.height = height;
    return { kind: "struct", id, typeName, fields };
  }

  #list(): Expr {
    const id = this.builder.id(this.#in.expect("[").start);
    const elements: Expr[] = [];
    const optionals: number[] = [];
    let height = 0;
    while (!this.#in.is("]") && !this.#in.is(",")) {
      const mark = this.#in.accept("?");
      elements.push(this.#expr());
      height = Math.max(height, this.#nesting.height);
      if (mark !== undefined) {
        if (this.#options.optionalSyntax !== true) this.#error(mark.start, "unsupported syntax '?'");
        else optionals.push(elements.length - 1);
      }
      if (this.#in.accept(",") === undefined || this.#in.is("]")) break;
    }
    if (elements.length === 0) this.#in.accept(",");
    this.#in.expect("]");
    this.#nesting.height = height;
    return { kind: "list", id, elements, optionals };
  }

  #map(): Expr {
    const id = this.builder.id(this.#in.expect("{").start);
    const entries: MapEntry[] = [];
    let height = 0;
    while (!this.#in.is("}") && !this.#in.is(",")) {
      const start = this.#in.token.start;
      const optional = this.#in.accept("?") !== undefined;
      const key = this.#expr();
      height = Math.max(height, this.#nesting.height);
      const entryId = this.builder.id(this.#in.expect(":").start);
      if (optional && this.#options.optionalSyntax !== true) this.#error(start, "unsupported syntax '?'");
      const value = this.#expr();
      height = Math.max(height, this.#nesting.height);
      entries.push({ id: entryId, key, value, optional });
      if (this.#in.accept(",") === undefined || this.#in.is("}")) break;
    }
    if (entries.length === 0) this.#in.accept(",");
    this.#in.expect("}");
    this.#nesting.height = height;
    return { kind: "map", id, entries };
  }

  #literal(): Expr {
    const { start } = this.#in.token;
    const sign = this.#in.is("-") && this.#in.isNumberNext ? this.#in.next().text : "";
    const literal = literalOf(this.#in.next(), sign);
    if (literal === undefined) throw new ParseFailure();
    const { value, error } = literal;
    const failed = error === undefined ? undefined : this.#error(start, error);
    return value === undefined ? (failed as Expr) : this.builder.literal(start, value);
  }
}

const relations: ReadonlySet<TokenKind> = new Set<TokenKind>(["<", "<=", ">=", ">", "==", "!=", "in"]);
const sums: ReadonlySet<TokenKind> = new Set<TokenKind>(["+", "-"]);
const products: ReadonlySet<TokenKind> = new Set<TokenKind>(["*", "/", "%"]);
