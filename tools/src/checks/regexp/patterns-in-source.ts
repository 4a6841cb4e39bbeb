import type { SourceFile } from "../source-files.js";
import { type Token, tokensOf } from "./tokens.js";

export interface FoundPattern {
  readonly line: number;
  /** Undefined where the pattern is made while the program runs, from what cannot be read off the sources. */
  readonly source: string | undefined;
  readonly flags: string;
  /** As it stands in the file. */
  readonly text: string;
}

/** Every regular expression of a file: literals, and `new RegExp` of constant texts, its own or imported from files beside it. */
export function patternsInSource(file: SourceFile, fileAt: (path: string) => SourceFile | undefined): FoundPattern[] {
  const tokens = tokensOf(file.text);
  const evaluate = createEvaluator(file, tokens, fileAt);
  return allTokens(tokens).flatMap((list) =>
    list.flatMap((token, index): FoundPattern[] => {
      if (token.kind === "regexp") return [literal(token)];
      if (token.text !== "RegExp" || list[index - 1]?.text !== "new" || list[index + 1]?.text !== "(") return [];
      const [pattern = [], flags = []] = argumentsAt(list, index + 2);
      const text = `new RegExp(${pattern.map((part) => part.text).join("")})`;
      return [{ line: token.line, source: evaluate(pattern), flags: evaluate(flags) ?? "", text }];
    }),
  );
}

function literal({ text, line }: Token): FoundPattern {
  const end = text.lastIndexOf("/");
  return { line, source: text.slice(1, end), flags: text.slice(end + 1), text };
}

/** The list itself and the lists inside its templates. */
function allTokens(tokens: readonly Token[]): (readonly Token[])[] {
  const inner = tokens.flatMap((token) => (token.parts ?? []).filter((part) => typeof part !== "string"));
  return [tokens, ...inner.flatMap((list) => allTokens(list))];
}

/** The arguments of a call, from behind its parenthesis. */
function argumentsAt(tokens: readonly Token[], from: number): (readonly Token[])[] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(from)) {
    if (depth === 0 && token.text === ")") break;
    if ("([{".includes(token.text)) depth += 1;
    if (")]}".includes(token.text)) depth -= 1;
    if (depth === 0 && token.text === ",") found.push([]);
    else found.at(-1)!.push(token);
  }
  return found;
}

type Evaluate = (expression: readonly Token[]) => string | undefined;

function createEvaluator(
  file: SourceFile,
  tokens: readonly Token[],
  fileAt: (path: string) => SourceFile | undefined,
): Evaluate {
  const constant = (name: string, depth: number): string | undefined => {
    const at = tokens.findIndex(
      ({ text }, index) => text === name && tokens[index - 1]?.text === "const" && tokens[index + 1]?.text === "=",
    );
    if (at >= 0)
      return evaluate(
        tokens.slice(
          at + 2,
          tokens.findIndex(({ text }, end) => end > at && text === ";"),
        ),
        depth + 1,
      );
    const from = importedFrom(tokens, name);
    const other = from === undefined ? undefined : fileAt(resolve(file.path, from));
    return other === undefined
      ? undefined
      : createEvaluator(other, tokensOf(other.text), fileAt)([{ kind: "word", text: name, line: 0 }]);
  };
  const evaluate = (expression: readonly Token[], depth = 0): string | undefined => {
    if (depth > 20) return undefined;
    let result = "";
    for (const [index, token] of expression.entries()) {
      if (index % 2 === 1) {
        if (token.text !== "+") return undefined;
        continue;
      }
      const value = valueOf(token, depth);
      if (value === undefined) return undefined;
      result += value;
    }
    return result;
  };
  const valueOf = (token: Token, depth: number): string | undefined => {
    if (token.kind === "string") return unescape(token.text.slice(1, -1));
    if (token.kind === "word") return constant(token.text, depth);
    if (token.kind !== "template") return undefined;
    let result = "";
    for (const part of token.parts ?? []) {
      const value = typeof part === "string" ? unescape(part) : evaluate(part, depth + 1);
      if (value === undefined) return undefined;
      result += value;
    }
    return result;
  };
  return (expression) => {
    // String.raw`…`
    const [owner, , raw, template] = expression;
    if (owner?.text === "String" && raw?.text === "raw" && template?.parts?.length === 1)
      return template.parts[0] as string;
    return evaluate(expression);
  };
}

const unescape = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g, (_, unicode?: string, hex?: string, one = "") =>
    (unicode ?? hex)
      ? String.fromCharCode(Number.parseInt((unicode ?? hex) as string, 16))
      : ({ n: "\n", t: "\t", r: "\r" }[one as string] ?? (one as string)),
  );

/** The module that a name is imported from. */
function importedFrom(tokens: readonly Token[], name: string): string | undefined {
  for (const [index, token] of tokens.entries()) {
    if (token.text !== "from" || tokens[index - 1]?.text !== "}" || tokens[index + 1]?.kind !== "string") continue;
    for (let at = index - 2; at >= 0 && tokens[at]!.text !== "{"; at--)
      if (tokens[at]!.text === name) return tokens[index + 1]!.text.slice(1, -1);
  }
  return undefined;
}

function resolve(from: string, relative: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/").replace(/\.js$/, ".ts");
}
