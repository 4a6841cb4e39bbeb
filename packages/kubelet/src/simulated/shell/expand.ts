import { evaluateArithmetic } from "./arithmetic.js";
import { matchesPattern, patternOf } from "./pattern.js";
import { type ShellProcess, textOf } from "./shell-process.js";
import { ShellSyntaxError, type Word, type WordPart } from "./syntax.js";

/** The words that a word becomes: unquoted expansions are split at white space, and file names are not matched. */
export async function expandWords(words: readonly Word[], process: ShellProcess): Promise<string[]> {
  const expanded: string[] = [];
  for (const word of words) for (const each of await splitWord(word, process)) expanded.push(each);
  return expanded;
}

async function splitWord(word: Word, process: ShellProcess): Promise<string[]> {
  const fields: string[] = [];
  let field: string | undefined;
  for (const part of word) {
    if (part.kind === "variable" && part.quoted && part.name === "@" && part.operator === undefined) {
      const [first, ...rest] = process.parameters.slice(1);
      if (first === undefined) continue;
      field = (field ?? "") + first;
      for (const next of rest) {
        fields.push(field);
        field = next;
      }
      continue;
    }
    const text = await expandPart(part, process);
    if (part.quoted || part.kind === "text") {
      field = (field ?? "") + text;
      continue;
    }
    const pieces = text.split(/[ \t\n]+/);
    for (const [i, piece] of pieces.entries()) {
      if (i > 0 && field !== undefined) {
        fields.push(field);
        field = undefined;
      }
      if (piece !== "") field = (field ?? "") + piece;
    }
  }
  if (field !== undefined) fields.push(field);
  return fields;
}

/** The text of a word, without splitting. */
export async function expandText(word: Word, process: ShellProcess): Promise<string> {
  let text = "";
  for (const part of word) text += await expandPart(part, process);
  return text;
}

/** As a pattern: what is quoted stands for itself. */
export async function expandPattern(word: Word, process: ShellProcess): Promise<string> {
  let pattern = "";
  for (const part of word) {
    const text = await expandPart(part, process);
    pattern += part.quoted ? patternOf(text) : text;
  }
  return pattern;
}

async function expandPart(part: WordPart, process: ShellProcess): Promise<string> {
  switch (part.kind) {
    case "text":
      return part.text;
    case "variable":
      return expandVariable(part, process);
    case "arithmetic":
      return String(evaluateArithmetic(await expandText(part.expression, process), (name) => valueOf(name, process)));
    case "command": {
      const chunks: Uint8Array[] = [];
      const inner = { ...process, stdout: (chunk: Uint8Array) => void chunks.push(chunk) };
      process.state.lastExit = await process.interpreter.subshell(part.body, inner);
      return withoutTrailingLines(textOf(Buffer.concat(chunks)));
    }
  }
}

function valueOf(name: string, { variables, parameters, state, random }: ShellProcess): string | undefined {
  switch (name) {
    case "?":
      return String(state.lastExit);
    case "#":
      return String(parameters.length - 1);
    case "$":
      return "1";
    case "@":
    case "*":
      return parameters.slice(1).join(" ");
    case "!":
    case "-":
      return "";
    case "RANDOM":
      return String(Math.floor(random.next() * 32_768));
  }
  return /^[0-9]$/.test(name) ? parameters[Number(name)] : variables.get(name);
}

async function expandVariable(
  { name, operator, word = [] }: Extract<WordPart, { kind: "variable" }>,
  process: ShellProcess,
): Promise<string> {
  const value = valueOf(name, process);
  if (operator === undefined) return value ?? "";
  const isMissing = value === undefined || (operator.startsWith(":") && value === "");
  switch (operator) {
    case "#":
      return String([...(value ?? "")].length);
    case ":-":
    case "-":
      return isMissing ? expandText(word, process) : value;
    case ":+":
    case "+":
      return isMissing ? "" : expandText(word, process);
    case ":=":
    case "=": {
      if (!isMissing) return value;
      const text = await expandText(word, process);
      process.variables.set(name, text);
      return text;
    }
    case ":?":
    case "?":
      if (!isMissing) return value;
      throw new ShellSyntaxError(`${name}: ${(await expandText(word, process)) || "parameter not set"}`);
    default:
      return strip(value ?? "", operator, await expandPattern(word, process));
  }
}

/** `${name#pattern}` and its kin: the shortest or longest match goes from the front or the end. */
function strip(value: string, operator: string, pattern: string): string {
  const fromFront = operator === "strip#" || operator === "##";
  const longest = operator === "##" || operator === "%%";
  // Values are short: environment variables of a few hundred bytes.
  const limit = Math.min(value.length, 4096);
  for (let i = 0; i <= limit; i++) {
    const length = longest ? limit - i : i;
    const piece = fromFront ? value.slice(0, length) : value.slice(value.length - length);
    if (matchesPattern(piece, pattern)) return fromFront ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

function withoutTrailingLines(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "\n") end--;
  return text.slice(0, end);
}
