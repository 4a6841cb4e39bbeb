import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import type { SchemaNode } from "../schema/index.js";
import { decodeUtf8 } from "../text/utf8-bytes.js";
import { cloneJson } from "./clone.js";
import { DecodeError } from "./decode-error.js";
import { maxDepth } from "./depth.js";
import { encodeJson } from "./encode.js";
import { checkHead } from "./head.js";
import { planOf } from "./plan.js";
import { type JsonScan, scanJson } from "./scan.js";
import { parseSyntaxTree, parseSyntaxTreeInSteps, type SyntaxTree } from "./syntax-tree.js";
import { plainValue, TypedDecoder } from "./typed-decoder.js";
import { misfit, walkInPlace } from "./walk-in-place.js";

export interface DecodeOptions {
  /** Report unknown and duplicate fields as warnings. Without it they are silently dropped (of duplicates, the last counts). @default false */
  readonly strict?: boolean;
}

export interface Decoded {
  /** In canonical form: exactly what Go would write after reading the bytes. */
  readonly object: unknown;
  /** `unknown field "spec.x"`, `duplicate field "spec.y"`; only in strict mode. */
  readonly warnings: string[];
}

/**
 * Decodes JSON into the canonical form of a type. Throws DecodeError in the words of upstream's decoder.
 *
 * The usual way is scan, `JSON.parse`, walk. Whatever it cannot be sure of (duplicates, big integers, broken UTF-8, a wrong type)
 * is decoded a second time by the slow decoder, which reads as Go does and knows its words.
 */
export function decodeJson(bytes: Uint8Array, node: SchemaNode, options: DecodeOptions = {}): Decoded {
  return runAtOnce(decodeParsed(parseJson(bytes), bytes, node, options));
}

/** Between the passes over a longer text others may run; for the rest asking costs more than it brings. */
const longText = 64 << 10;
const microsPerByte = 0.02;

/** What `JSON.parse` makes of a text, and what was seen of the text before. */
export interface ParsedJson {
  readonly value: unknown;
  readonly scan: JsonScan;
}

/** Undefined where `JSON.parse` would lose something or fail: the slow decoder is for that. */
export const parseJson = (bytes: Uint8Array): ParsedJson | undefined => parseScanned(bytes, scanJson(bytes));

/** The same, for text of others that may be long. */
export function* parseJsonInSteps(bytes: Uint8Array): Steps<ParsedJson | undefined> {
  const scan = scanJson(bytes);
  if (bytes.length > longText) yield bytes.length * microsPerByte;
  return parseScanned(bytes, scan);
}

function parseScanned(bytes: Uint8Array, scan: JsonScan): ParsedJson | undefined {
  const text = scan.lossy || scan.depth > maxDepth ? undefined : decodeUtf8(bytes);
  try {
    return text === undefined ? undefined : { value: JSON.parse(text), scan };
  } catch {
    return undefined; // the slow decoder words it
  }
}

/** As `decodeJson`, of bytes that are parsed already. What was parsed is changed and not to be used again. */
export function* decodeParsed(
  parsed: ParsedJson | undefined,
  bytes: Uint8Array,
  node: SchemaNode,
  options: DecodeOptions = {},
): Steps<Decoded> {
  if (parsed === undefined) return yield* decodeSlowly(bytes, node, options);
  const { value, scan } = parsed;
  try {
    const { object, count } = walkInPlace(value, planOf(node));
    const sure =
      count.members === scan.members &&
      count.fractions === scan.fractions &&
      (count.unknown === 0 || options.strict !== true);
    if (sure) return { object, warnings: [] };
  } catch (err) {
    if (err !== misfit) throw err;
  }
  yield bytes.length * microsPerByte;
  return yield* decodeSlowly(bytes, node, options);
}

function* decodeSlowly(bytes: Uint8Array, node: SchemaNode, options: DecodeOptions): Steps<Decoded> {
  const tree = yield* parseObject(bytes, node);
  const decoder = new TypedDecoder();
  const value = decoder.decode(tree, node) ?? null;
  yield bytes.length * microsPerByte;
  const { object } = walkInPlace(value, planOf(node));
  return { object, warnings: options.strict === true ? decoder.strict.texts : [] };
}

/** Upstream reads the version and kind first, so errors of the text as a whole are reported there. */
function* parseObject(bytes: Uint8Array, node: SchemaNode): Steps<SyntaxTree> {
  if (!node.byName.has("kind") || !node.byName.has("apiVersion")) return yield* parseSyntaxTreeInSteps(bytes);
  try {
    const tree = yield* parseSyntaxTreeInSteps(bytes);
    checkHead(tree);
    return tree;
  } catch (err) {
    if (err instanceof DecodeError)
      throw new DecodeError(`couldn't get version/kind; json parse error: ${err.message}`, { cause: err });
    throw err;
  }
}

/** The canonical copy of a value that is parsed already (YAML, an object in the same process). Unknown members are dropped. Throws DecodeError. */
export function walk(value: unknown, node: SchemaNode): unknown {
  return walkOwn(cloneJson(value), node);
}

/** The same, where the value has no unknown member and every type fits; else undefined: `decodeJson` of its text reports what is wrong. */
export function walkKnown(value: unknown, node: SchemaNode): unknown {
  try {
    const { object, count } = walkInPlace(cloneJson(value), planOf(node));
    return count.unknown === 0 ? object : undefined;
  } catch (err) {
    if (err !== misfit) throw err;
    return undefined;
  }
}

/** The same of a value that is the caller's own, which is changed and not to be used again. */
export function walkOwn(value: unknown, node: SchemaNode): unknown {
  try {
    return walkInPlace(value, planOf(node)).object;
  } catch (err) {
    if (err !== misfit) throw err;
    return runAtOnce(decodeSlowly(encodeJson(value), node, {})).object; // half of it is canonical by now, which means the same
  }
}

/** Any JSON, exactly: big integers as bigints, of duplicates the last. Throws DecodeError. */
export function decodeAny(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  return parsed ? parsed.value : plainValue(parseSyntaxTree(bytes));
}
