import { jqFunctions } from "./evaluate.js";
import { binarySigns, type BinarySign, type Filter, JqError } from "./syntax.js";

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

/**
 * Reads a filter: paths, iteration, `select` and other functions, comparisons, `and`, `or`, `//`, `,` and pipes. Variables,
 * arithmetic, assignments, objects, reductions and definitions are refused. @throws JqError
 */
export function parseFilter(source: string): Filter {
  const tokens = tokenize(source);
  let at = 0;
  const is = (text: string): boolean => {
    const token = tokens[at];
    return (token?.kind === "sign" || token?.kind === "word") && token.text === text;
  };
  const take = (text: string): boolean => is(text) && at++ >= 0;
  const fail = (): never => {
    const token = tokens[at];
    throw new JqError(token ? `"${token.text}" is not supported here` : "the expression ends too early");
  };
  const expect = (text: string): void => {
    if (!take(text)) fail();
  };

  function binary(level: number): Filter {
    const signs: readonly BinarySign[] | undefined = binarySigns[level];
    if (!signs) return postfix();
    let left = binary(level + 1);
    for (;;) {
      const sign = signs.find(is);
      if (sign === undefined) return left;
      at++;
      // Pipes and alternatives group to the right, as in jq; it matters only for the latter.
      const right = sign === "//" ? binary(level) : binary(level + 1);
      left = { kind: "binary", sign, left, right };
    }
  }

  function postfix(): Filter {
    let value = primary();
    for (;;) {
      if (take("?")) value = { kind: "try", body: value };
      else if (is("[")) value = bracket(value);
      else if (is(".") && tokens[at]?.glued) {
        at++;
        value = is("[") ? bracket(value) : name(value);
      } else return value;
    }
  }

  /** The member behind a dot. */
  function name(of: Filter): Filter {
    const token = tokens[at];
    if (token?.kind !== "word" && token?.kind !== "text") return fail();
    at++;
    return { kind: "member", of, key: { kind: "literal", value: token.text } };
  }

  function bracket(of: Filter): Filter {
    expect("[");
    if (take("]")) return { kind: "each", of };
    const key = binary(0);
    expect("]");
    return { kind: "member", of, key };
  }

  function primary(): Filter {
    const token = tokens[at];
    if (token?.kind === "text" || token?.kind === "number") {
      at++;
      return { kind: "literal", value: token.kind === "text" ? token.text : BigInt(token.text) };
    }
    if (take("(")) {
      const inner = binary(0);
      expect(")");
      return inner;
    }
    if (take("[")) {
      const body = is("]") ? undefined : binary(0);
      expect("]");
      return { kind: "array", body };
    }
    if (take("-")) {
      const number = tokens[at++];
      if (number?.kind !== "number") return at--, fail();
      return { kind: "literal", value: -BigInt(number.text) };
    }
    if (take(".")) {
      const identity: Filter = { kind: "identity" };
      if (is("[")) return bracket(identity);
      const next = tokens[at];
      return next?.glued && (next.kind === "word" || next.kind === "text") ? name(identity) : identity;
    }
    if (token?.kind !== "word") return fail();
    at++;
    if (Object.hasOwn(literals, token.text)) return { kind: "literal", value: literals[token.text] as boolean | null };
    const args: Filter[] = [];
    if (take("(")) {
      do args.push(binary(0));
      while (take(";"));
      expect(")");
    }
    if (!jqFunctions.has(`${token.text}/${args.length}`))
      throw new JqError(`function ${token.text}/${args.length} is not supported`);
    return { kind: "call", name: token.text, args };
  }

  const filter = binary(0);
  if (at < tokens.length) fail();
  return filter;
}
