import { evaluateArithmetic } from "./arithmetic.js";
import { hasGlob, matchFiles } from "./glob.js";
import { patternOf, strip } from "./pattern.js";
import { charge, pace, type ShellProcess, textOf } from "./shell-process.js";
import { type ShellNode, ShellSyntaxError, type Word, type WordPart } from "./syntax.js";

/** What a word takes apart from its characters. */
const wordBytes = 32;

/** The words that a command is made of, as far as they are known. @throws OverBudget when they are too many */
class WordList {
  readonly words: string[] = [];
  readonly #process: ShellProcess;
  #bytes = 0;

  constructor(process: ShellProcess) {
    this.#process = process;
  }

  push(word: string): void {
    this.#bytes += word.length + wordBytes;
    this.#process.budget.check(this.#bytes);
    this.words.push(word);
  }
}

/** The words that a word becomes: unquoted expansions are split at white space, and patterns that are written out match file names. */
export async function expandWords(words: readonly Word[], process: ShellProcess): Promise<string[]> {
  const expanded = new WordList(process);
  for (const word of words) if (!(await addFiles(word, process, expanded))) await splitWord(word, process, expanded);
  return expanded.words;
}

/** False: the word is no pattern, or no file matches it. What an unquoted expansion brings is no pattern here. */
async function addFiles(word: Word, process: ShellProcess, fields: WordList): Promise<boolean> {
  const isPlain = word.every(({ kind, quoted }) => kind === "text" || quoted);
  if (!isPlain || !word.some((part) => part.kind === "text" && !part.quoted && hasGlob(part.text))) return false;
  const found = await matchFiles(await expandPattern(word, process), process);
  for (const path of found) fields.push(path);
  return found.length > 0;
}

async function splitWord(word: Word, process: ShellProcess, fields: WordList): Promise<void> {
  let field: string | undefined;
  for (const part of word) {
    if (part.kind === "variable" && part.quoted && part.name === "@" && part.operator === undefined) {
      for (const [i, parameter] of process.parameters.entries()) {
        if (i === 0) continue;
        if (i > 1) fields.push(field ?? "");
        field = i > 1 ? parameter : (field ?? "") + parameter;
      }
      charge(process, process.parameters.length * wordBytes);
      continue;
    }
    const text = await expandPart(part, process);
    if (part.quoted || part.kind === "text") field = joined(field ?? "", text, process);
    else field = await splitText(text, field, { process, fields });
  }
  if (field !== undefined) fields.push(field);
}

/** Characters that are split between two pauses. */
const charactersPerPause = 8192;
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a;

/** Splits a text at white space. Returns the field that whatever follows continues; undefined: none. */
async function splitText(
  text: string,
  before: string | undefined,
  { process, fields }: { process: ShellProcess; fields: WordList },
): Promise<string | undefined> {
  let field = before;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at % charactersPerPause === charactersPerPause - 1) {
      charge(process, charactersPerPause * 4);
      await pace(process);
    }
    const isEnd = at === text.length;
    if (!isEnd && !isSpace(text.charCodeAt(at))) continue;
    if (at > start) field = joined(field ?? "", text.slice(start, at), process);
    start = at + 1;
    if (isEnd || field === undefined) continue;
    fields.push(field);
    field = undefined;
  }
  return field;
}

/** @throws OverBudget where the text becomes too long */
function joined(text: string, more: string, process: ShellProcess): string {
  process.budget.check(text.length + more.length);
  charge(process, more.length);
  return text + more;
}

/** The text of a word, without splitting. */
export async function expandText(word: Word, process: ShellProcess): Promise<string> {
  let text = "";
  for (const part of word) text = joined(text, await expandPart(part, process), process);
  return text;
}

/** As a pattern: what is quoted stands for itself. */
export async function expandPattern(word: Word, process: ShellProcess): Promise<string> {
  let pattern = "";
  for (const part of word) {
    const text = await expandPart(part, process);
    pattern = joined(pattern, part.quoted ? patternOf(text) : text, process);
  }
  return pattern;
}

async function expandPart(part: WordPart, process: ShellProcess): Promise<string> {
  switch (part.kind) {
    case "text":
      return part.text;
    case "variable":
      return expandVariable(part, process);
    case "arithmetic": {
      const text = await expandText(part.expression, process);
      charge(process, text.length * 8);
      return String(evaluateArithmetic(text, (name) => valueOf(name, process)));
    }
    case "command":
      return captureOutput(part.body, process);
  }
}

/** What a command writes, without the line breaks at its end. */
async function captureOutput(body: ShellNode, process: ShellProcess): Promise<string> {
  const chunks: Uint8Array[] = [];
  let held = 0;
  const write = (chunk: Uint8Array): void => {
    process.budget.hold(chunk.length + 64);
    held += chunk.length + 64;
    chunks.push(chunk);
  };
  try {
    const inner = { ...process, stdout: { write, drained: () => undefined } };
    process.state.lastExit = await process.interpreter.subshell(body, inner);
    charge(process, held);
    return withoutTrailingLines(textOf(Buffer.concat(chunks)));
  } finally {
    process.budget.release(held);
  }
}

function valueOf(name: string, { variables, parameters, state, runtime }: ShellProcess): string | undefined {
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
      return state.lastJob === 0 ? "" : String(state.lastJob);
    case "-":
      return "";
    case "RANDOM":
      return String(Math.floor(runtime.random.next() * 32_768));
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
      return String(countCharacters(value ?? "", process));
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
      return strip(value ?? "", operator, await expandPattern(word, process), process);
  }
}

/** A pair of surrogates is one character. */
function countCharacters(text: string, process: ShellProcess): number {
  charge(process, text.length);
  let count = text.length;
  for (let at = 1; at < text.length; at++)
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  return count;
}

function withoutTrailingLines(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "\n") end--;
  return text.slice(0, end);
}
