import { largest } from "@coxswain/apimachinery/append";
import { type Expr, type MapEntry, type StructField } from "../ast/expr.js";
import { binaryOperators, operators } from "../ast/operators.js";
import { Issues } from "../source/issues.js";
import { codePointLength, type Location, noLocation, Source } from "../source/source.js";
import { intOf, maxUint } from "../values/int.js";
import { Double, Uint, type Value } from "../values/value.js";
import { ExprBuilder } from "./expr-builder.js";
import { lex } from "./lexer.js";
import { defaultLimits, type ParserLimits } from "./limits.js";
import { type Macro, MacroError, macroKey } from "./macro.js";
import { syntaxErrors } from "./syntax/syntax-errors.js";
import { type Token, type TokenKind } from "./token.js";
import { unescapeBytes, unescapeString } from "./unescape.js";

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

/** A name that is no variable, though the grammar would have it. */
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);

/** Ends parsing: the text is not an expression, or nests too deeply. */
class ParseFailure extends Error {}

type Rule = "expr" | "relation" | "calc" | "member";

class Parser {
  readonly builder = new ExprBuilder();
  readonly #issues: Issues;
  readonly #options: ParserOptions;
  readonly #limits: ParserLimits;
  readonly #macros = new Map<string, Macro>();
  readonly #tokens: readonly Token[];
  readonly #hasLexicalErrors: boolean;
  #at = 0;
  readonly #depths: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  /** How deep the expression parsed last is, in operations; see `#deepen`. */
  #height = 0;

  constructor(issues: Issues, options: ParserOptions, limits: ParserLimits) {
    this.#issues = issues;
    this.#options = options;
    this.#limits = limits;
    for (const macro of options.macros) this.#macros.set(macroKey(macro.name, macro.args, macro.isMember), macro);
    const { tokens, errors } = lex(issues.source.text);
    this.#tokens = tokens;
    this.#hasLexicalErrors = errors.length > 0;
  }

  parse(): Expr {
    try {
      const expr = this.#expr();
      if (this.#kind !== "EOF") throw new ParseFailure();
      return this.#hasLexicalErrors ? this.#explain() : expr;
    } catch (error) {
      if (error instanceof RangeLimit) this.#issues.report(0, noLocation, error.message);
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

  get #token(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get #kind(): TokenKind {
    return this.#token.kind;
  }

  #is(kind: TokenKind): boolean {
    return this.#token.kind === kind;
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind !== "EOF") this.#at++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#kind === kind ? this.#next() : undefined;
  }

  #expect(kind: TokenKind): Token {
    if (this.#kind !== kind) throw new ParseFailure();
    return this.#next();
  }

  #report(expr: Expr, message: string): Expr {
    const { source } = this.#issues;
    this.#issues.report(expr.id, source.location(this.builder.offsets.get(expr.id) ?? 0), message);
    return expr;
  }

  #error(offset: number, message: string): Expr {
    return this.#report(this.builder.unspecified(offset), message);
  }

  /** Counts one more level of a rule. Left-recursive rules nest once per operator, as the tree of upstream's parser does. */
  #enter(rule: Rule): void {
    if (++this.#depths[rule] > this.#limits.recursionDepth)
      throw new RangeLimit(`expression recursion limit exceeded: ${this.#limits.recursionDepth}`);
  }

  /** One more operation above the ones below it; a second limit of upstream's is on their number. */
  #deepen(...heights: number[]): void {
    this.#height = largest(heights) + 1;
    if (this.#height > this.#limits.recursionDepth) throw new RangeLimit("max recursion depth exceeded");
  }

  #expr(): Expr {
    const depth = this.#depths.expr;
    this.#enter("expr");
    const condition = this.#logical("||");
    const token = this.#accept("?");
    if (token === undefined) {
      this.#depths.expr = depth;
      return condition;
    }
    const id = this.builder.id(token.start);
    const conditionHeight = this.#height;
    const whenTrue = this.#logical("||");
    const trueHeight = this.#height;
    this.#expect(":");
    const whenFalse = this.#expr();
    this.#deepen(conditionHeight, trueHeight, this.#height);
    this.#depths.expr = depth;
    return this.builder.call(id, operators.conditional, [condition, whenTrue, whenFalse]);
  }

  #logical(kind: "||" | "&&"): Expr {
    const operand = (): Expr => (kind === "||" ? this.#logical("&&") : this.#relation());
    const terms = [operand()];
    const ids: number[] = [];
    let height = this.#height;
    for (let token = this.#accept(kind); token !== undefined; token = this.#accept(kind)) {
      terms.push(operand());
      height = Math.max(height, this.#height);
      ids.push(this.builder.id(token.start));
    }
    this.#height = height;
    return this.builder.balanced(kind === "||" ? operators.logicalOr : operators.logicalAnd, terms, ids);
  }

  #relation(): Expr {
    const depth = this.#depths.relation;
    this.#enter("relation");
    const expr = this.#chain("relation", relations, () => this.#sum());
    this.#depths.relation = depth;
    return expr;
  }

  #sum(): Expr {
    const depth = this.#depths.calc;
    this.#enter("calc");
    const expr = this.#chain("calc", sums, () => this.#chain("calc", products, () => this.#unary()));
    this.#depths.calc = depth;
    return expr;
  }

  /** `a op b op c`, from the left. */
  #chain(rule: Rule, kinds: ReadonlySet<TokenKind>, operand: () => Expr): Expr {
    let left = operand();
    while (kinds.has(this.#kind)) {
      const token = this.#next();
      const height = this.#height;
      this.#enter(rule);
      const depth = this.#depths[rule];
      this.#enter(rule);
      const id = this.builder.id(token.start);
      const right = operand();
      this.#depths[rule] = depth;
      this.#deepen(height, this.#height);
      left = this.builder.call(id, binaryOperators.get(token.kind) as string, [left, right]);
    }
    return left;
  }

  #unary(): Expr {
    const kind = this.#kind;
    if (kind !== "!" && kind !== "-") return this.#member();
    // A minus before a number belongs to the literal, unless more than one stand there.
    const isLiteral = kind === "-" && this.#isNumberAfter(1);
    if (isLiteral) return this.#member();
    const first = this.#next();
    let count = 1;
    while (this.#accept(kind) !== undefined) count++;
    if (count % 2 === 0) return this.#member();
    const id = this.builder.id(first.start);
    const operand = this.#member();
    return this.builder.call(id, kind === "!" ? operators.logicalNot : operators.negate, [operand]);
  }

  #isNumberAfter(distance: number): boolean {
    const kind = this.#tokens[this.#at + distance]?.kind;
    return kind === "NUM_INT" || kind === "NUM_FLOAT";
  }

  #member(): Expr {
    const depth = this.#depths.member;
    this.#enter("member");
    let expr = this.#primary();
    for (;;) {
      const kind = this.#kind;
      if (kind !== "." && kind !== "[") break;
      const operator = this.#next();
      this.#enter("member");
      expr = kind === "." ? this.#selection(expr, operator) : this.#index(expr, operator);
    }
    this.#depths.member = depth;
    return expr;
  }

  #selection(operand: Expr, operator: Token): Expr {
    const height = this.#height;
    const isOptional = this.#accept("?") !== undefined;
    const name = this.#next();
    if (name.kind !== "IDENTIFIER" && name.kind !== "ESC_IDENTIFIER") throw new ParseFailure();
    if (name.kind === "IDENTIFIER" && !isOptional && this.#kind === "(") return this.#memberCall(operand, name);
    const field = this.#fieldName(name);
    this.#deepen(height);
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
    const height = this.#height;
    const open = this.#expect("(");
    const id = this.builder.id(open.start);
    const args = this.#args(")");
    this.#deepen(height, this.#height);
    return this.#callOrMacro({ id, name: name.text, target, args });
  }

  #index(target: Expr, operator: Token): Expr {
    const height = this.#height;
    const isOptional = this.#accept("?") !== undefined;
    const id = this.builder.id(operator.start);
    const index = this.#expr();
    this.#expect("]");
    this.#deepen(height, this.#height);
    if (!isOptional) return this.builder.call(id, operators.index, [target, index]);
    if (this.#options.optionalSyntax !== true) return this.#error(operator.start, "unsupported syntax '[?'");
    return this.builder.call(id, operators.optIndex, [target, index]);
  }

  /** Expressions up to the closing bracket, which is read too. */
  #args(close: TokenKind): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.#kind !== close) {
      do {
        args.push(this.#expr());
        height = Math.max(height, this.#height);
      } while (this.#accept(",") !== undefined);
    }
    this.#expect(close);
    this.#height = height;
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
    this.#height = 0;
    const token = this.#token;
    switch (token.kind) {
      case ".":
      case "IDENTIFIER":
        return this.#named();
      case "(": {
        this.#next();
        const expr = this.#expr();
        this.#expect(")");
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
    const dot = this.#accept(".");
    const first = this.#expect("IDENTIFIER");
    const start = (dot ?? first).start;
    const prefix = dot === undefined ? "" : ".";
    const message = this.#messageName();
    if (message !== undefined) return this.#message(`${prefix}${first.text}${message}`);
    if (reserved.has(first.text)) {
      const error = this.#error(start, `reserved identifier: ${first.text}`);
      if (this.#accept("(") !== undefined) this.#args(")");
      return error;
    }
    const name = `${prefix}${first.text}`;
    const open = this.#accept("(");
    if (open === undefined) return this.builder.ident(first.start, name);
    const id = this.builder.id(open.start);
    return this.#callOrMacro({ id, name, args: this.#args(")") });
  }

  /** `.b.C` of a message that follows, read up to its brace; undefined where no message follows. */
  #messageName(): string | undefined {
    let at = this.#at;
    let name = "";
    while (this.#tokens[at]?.kind === "." && this.#tokens[at + 1]?.kind === "IDENTIFIER") {
      name += `.${(this.#tokens[at + 1] as Token).text}`;
      at += 2;
    }
    if (this.#tokens[at]?.kind !== "{") return undefined;
    this.#at = at;
    return name;
  }

  #message(typeName: string): Expr {
    const id = this.builder.id(this.#expect("{").start);
    const fields: StructField[] = [];
    let height = 0;
    while (!this.#is("}") && !this.#is(",")) {
      const start = this.#token.start;
      const optional = this.#accept("?") !== undefined;
      const name = this.#next();
      if (name.kind !== "IDENTIFIER" && name.kind !== "ESC_IDENTIFIER") throw new ParseFailure();
      const colon = this.#expect(":");
      const fieldId = this.builder.id(colon.start);
      if (optional && this.#options.optionalSyntax !== true) this.#error(start, "unsupported syntax '?'");
      const field = this.#fieldName(name);
      const value = this.#expr();
      height = Math.max(height, this.#height);
      fields.push({ id: fieldId, name: field, value, optional });
      if (this.#accept(",") === undefined || this.#is("}")) break;
    }
    if (fields.length === 0) this.#accept(",");
    this.#expect("}");
    this.#height = height;
    return { kind: "struct", id, typeName, fields };
  }

  #list(): Expr {
    const id = this.builder.id(this.#expect("[").start);
    const elements: Expr[] = [];
    const optionals: number[] = [];
    let height = 0;
    while (!this.#is("]") && !this.#is(",")) {
      const mark = this.#accept("?");
      elements.push(this.#expr());
      height = Math.max(height, this.#height);
      if (mark !== undefined) {
        if (this.#options.optionalSyntax !== true) this.#error(mark.start, "unsupported syntax '?'");
        else optionals.push(elements.length - 1);
      }
      if (this.#accept(",") === undefined || this.#is("]")) break;
    }
    if (elements.length === 0) this.#accept(",");
    this.#expect("]");
    this.#height = height;
    return { kind: "list", id, elements, optionals };
  }

  #map(): Expr {
    const id = this.builder.id(this.#expect("{").start);
    const entries: MapEntry[] = [];
    let height = 0;
    while (!this.#is("}") && !this.#is(",")) {
      const start = this.#token.start;
      const optional = this.#accept("?") !== undefined;
      const key = this.#expr();
      height = Math.max(height, this.#height);
      const entryId = this.builder.id(this.#expect(":").start);
      if (optional && this.#options.optionalSyntax !== true) this.#error(start, "unsupported syntax '?'");
      const value = this.#expr();
      height = Math.max(height, this.#height);
      entries.push({ id: entryId, key, value, optional });
      if (this.#accept(",") === undefined || this.#is("}")) break;
    }
    if (entries.length === 0) this.#accept(",");
    this.#expect("}");
    this.#height = height;
    return { kind: "map", id, entries };
  }

  #literal(): Expr {
    const start = this.#token.start;
    const sign = this.#kind === "-" && this.#isNumberAfter(1) ? this.#next().text : "";
    const token = this.#next();
    const good = (value: Value): Expr => this.builder.literal(start, value);
    switch (token.kind) {
      case "true":
        return good(true);
      case "false":
        return good(false);
      case "null":
        return good(null);
      case "NUM_INT": {
        const value = intOf(BigInt(token.text) * (sign === "" ? 1n : -1n));
        return value === undefined ? this.#error(start, "invalid int literal") : good(value);
      }
      case "NUM_UINT": {
        const value = BigInt(token.text.slice(0, -1));
        return value > maxUint ? this.#error(start, "invalid uint literal") : good(new Uint(value));
      }
      case "NUM_FLOAT": {
        const value = Number(`${sign}${token.text}`);
        return Number.isFinite(value) ? good(new Double(value)) : this.#error(start, "invalid double literal");
      }
      case "STRING": {
        const { value, error } = unescapeString(token.text);
        if (error !== undefined) this.#error(start, error);
        return good(value ?? token.text);
      }
      case "BYTES": {
        const { value, error } = unescapeBytes(token.text.slice(1));
        if (error !== undefined) this.#error(start, error);
        return good(value ?? new Uint8Array());
      }
      default:
        throw new ParseFailure();
    }
  }
}

const relations: ReadonlySet<TokenKind> = new Set<TokenKind>(["<", "<=", ">=", ">", "==", "!=", "in"]);
const sums: ReadonlySet<TokenKind> = new Set<TokenKind>(["+", "-"]);
const products: ReadonlySet<TokenKind> = new Set<TokenKind>(["*", "/", "%"]);

/** A limit on nesting is exceeded: then the only error that is reported. */
class RangeLimit extends Error {}
