import { jqFunctions } from "./evaluate.js";
import { type BinarySign, binarySigns, type Filter, JqError } from "./syntax.js";

type Token = { readonly kind: "sign" | "word" | "text" | "number"; readonly text: string; readonly glued: boolean };

const pattern = /\s+|("(?:[^"\\]|\\.)*")|(\d+)|([A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|\.\.|[.[\]()|,?<>:;$=+\-*/%{}])/gy;

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let glued = false;
  pattern.lastIndex = 0;
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) throw new JqError(`unexpected ${JSON.stringify(source[at])} at column ${at + 1}`);
    const [, text, number, word, sign] = found;
    if (text !== undefined) tokens.push({ kind: "text", text: stringOf(text), glued });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, glued });
    else if (word !== undefined) tokens.push({ kind: "word", text: word, glued });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign, glued });
    glued = found[0].trim() !== "";
  }
  return tokens;
}

function stringOf(quoted: string): string {
  if (quoted.includes("\\(")) throw new JqError("string interpolation is not supported");
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new JqError(`${quoted} is no string of JSON`);
  }
}

const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Characters of a filter, and filters inside each other: each level takes a part of the stack, when it is parsed and when it runs. */
const [maxLength, maxDepth] = [16 * 1024, 100];

/**
 * Reads a filter: paths, iteration, `select` and other functions, comparisons, `and`, `or`, `//`, `,` and pipes. Variables,
 * arithmetic, assignments, objects, reductions and definitions are refused. @throws JqError
 */
export function parseFilter(source: string): Filter {
  if (source.length > maxLength) throw new JqError(`it is longer than ${maxLength} characters`);
  return new FilterParser(source).filter();
}

class FilterParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#tokens = tokenize(source);
  }

  filter(): Filter {
    const filter = this.#binary(0);
    if (this.#at < this.#tokens.length) this.#fail();
    return filter;
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#at];
    return (token?.kind === "sign" || token?.kind === "word") && token.text === text;
  }
  #take(text: string): boolean {
    return this.#is(text) && this.#at++ >= 0;
  }
  #fail(): never {
    const token = this.#tokens[this.#at];
    throw new JqError(token ? `"${token.text}" is not supported here` : "the expression ends too early");
  }
  #expect(text: string): void {
    if (!this.#take(text)) this.#fail();
  }

  #binary(level: number): Filter {
    const signs: readonly BinarySign[] | undefined = binarySigns[level];
    if (!signs) return this.#postfix();
    let left = this.#binary(level + 1);
    const outer = this.#depth;
    for (;;) {
      const sign = signs.find((each) => this.#is(each));
      if (sign === undefined) {
        this.#depth = outer;
        return left;
      }
      this.#deepen();
      this.#at++;
      // Pipes and alternatives group to the right, as in jq; it matters only for the latter.
      const right = sign === "//" ? this.#binary(level) : this.#binary(level + 1);
      left = { kind: "binary", sign, left, right };
    }
  }

  /** Filters that follow each other are inside each other, too: the last one holds all before it. */
  #deepen(): void {
    if (++this.#depth > maxDepth) throw new JqError(`it is nested more than ${maxDepth} levels deep`);
  }

  #postfix(): Filter {
    const outer = this.#depth;
    this.#deepen();
    const value = this.#postfixes();
    this.#depth = outer;
    return value;
  }

  #postfixes(): Filter {
    let value = this.#primary();
    for (;;) {
      this.#deepen();
      if (this.#take("?")) value = { kind: "try", body: value };
      else if (this.#is("[")) value = this.#bracket(value);
      else if (this.#is(".") && this.#tokens[this.#at]?.glued) {
        this.#at++;
        value = this.#is("[") ? this.#bracket(value) : this.#name(value);
      } else return value;
    }
  }

  /** The member behind a dot. */
  #name(of: Filter): Filter {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "word" && token?.kind !== "text") return this.#fail();
    this.#at++;
    return { kind: "member", of, key: { kind: "literal", value: token.text } };
  }

  #bracket(of: Filter): Filter {
    this.#expect("[");
    if (this.#take("]")) return { kind: "each", of };
    const key = this.#binary(0);
    this.#expect("]");
    return { kind: "member", of, key };
  }

  #primary(): Filter {
    const token = this.#tokens[this.#at];
    if (token?.kind === "text" || token?.kind === "number") {
      this.#at++;
      return { kind: "literal", value: token.kind === "text" ? token.text : BigInt(token.text) };
    }
    if (this.#take("(")) {
      const inner = this.#binary(0);
      this.#expect(")");
      return inner;
    }
    if (this.#take("[")) {
      const body = this.#is("]") ? undefined : this.#binary(0);
      this.#expect("]");
      return { kind: "array", body };
    }
    if (this.#take("-")) {
      const number = this.#tokens[this.#at++];
      if (number?.kind !== "number") return this.#at--, this.#fail();
      return { kind: "literal", value: -BigInt(number.text) };
    }
    if (this.#take(".")) {
      const identity: Filter = { kind: "identity" };
      if (this.#is("[")) return this.#bracket(identity);
      const next = this.#tokens[this.#at];
      return next?.glued && (next.kind === "word" || next.kind === "text") ? this.#name(identity) : identity;
    }
    if (token?.kind !== "word") return this.#fail();
    this.#at++;
    if (Object.hasOwn(literals, token.text)) return { kind: "literal", value: literals[token.text] as boolean | null };
    const args: Filter[] = [];
    if (this.#take("(")) {
      do args.push(this.#binary(0));
      while (this.#take(";"));
      this.#expect(")");
    }
    if (!jqFunctions.has(`${token.text}/${args.length}`))
      throw new JqError(`function ${token.text}/${args.length} is not supported`);
    return { kind: "call", name: token.text, args };
  }
}
