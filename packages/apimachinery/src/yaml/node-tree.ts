import {
  type Event,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  type ScalarEvent,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";
import { DecodeError } from "../json/index.js";
import { indentFlowLines } from "./flow-indent.js";

/** A YAML document before its values have types, as go-yaml's decoder is given it. */
export type YamlNode =
  | {
      readonly kind: "scalar";
      readonly value: string;
      readonly tag: string;
      readonly plain: boolean;
      readonly line: number;
    }
  | { readonly kind: "mapping" | "sequence"; readonly children: YamlNode[]; readonly line: number }
  | { readonly kind: "alias"; readonly name: string; readonly target: YamlNode; readonly line: number };

/** js-yaml descends recursively; beyond this it could run out of stack. No object is nested this deep. */
const maxDepth = 500;

/** The first document of the text, or undefined if there is none. Throws DecodeError. */
export function parseNodeTree(text: string): YamlNode | undefined {
  const first = tryEvents(text);
  if (Array.isArray(first)) return new TreeBuilder(text, first).document();
  const indented = first.reason === "deficient indentation" ? indentFlowLines(text) : text;
  const second = indented === text ? first : tryEvents(indented);
  if (Array.isArray(second)) return new TreeBuilder(indented, second).document();
  throw inGoWords(second);
}

function tryEvents(text: string): Event[] | YAMLException {
  try {
    return parseEvents(text, { maxDepth });
  } catch (err) {
    if (err instanceof YAMLException) return err;
    throw err;
  }
}

/** go-yaml names the line, but for the first one. */
function inGoWords(err: YAMLException): DecodeError {
  const where = err.mark && err.mark.line > 0 ? `line ${err.mark.line + 1}: ` : "";
  const reason = err.reason.startsWith("nesting exceeded")
    ? "exceeded max depth"
    : (goWords.get(err.reason) ?? err.reason);
  return new DecodeError(`yaml: ${where}${reason}`, { cause: err });
}

/** go-yaml's messages where they differ from js-yaml's; the rest is left in js-yaml's words. */
const goWords = new Map([
  ["bad indentation of a mapping entry", "mapping values are not allowed in this context"],
  ["bad indentation of a sequence entry", "did not find expected '-' indicator"],
  ["tab characters must not be used in indentation", "found character that cannot start any token"],
  ["missed comma between flow collection entries", "did not find expected ',' or ']'"],
  ["unexpected end of the stream within a flow collection", "did not find expected node content"],
  ["unexpected end of the stream within a double quoted scalar", "found unexpected end of stream"],
  ["unexpected end of the stream within a single quoted scalar", "found unexpected end of stream"],
  ["unknown escape sequence", "found unknown escape character"],
  ["expected hexadecimal character", "did not find expected hexdecimal number"],
  ["can not read a block mapping entry; a multiline key may not be an implicit key", "could not find expected ':'"],
  ["expected ':' after a mapping key", "could not find expected ':'"],
  ["the stream contains non-printable characters", "control characters are not allowed"],
  ["null byte is not allowed in input", "control characters are not allowed"],
  ["end of the stream or a document separator is expected", "did not find expected <document start>"],
]);

class TreeBuilder {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, YamlNode>();
  #at = 0;
  /** Lines are counted as the events go by, since their places only grow. */
  #line = 1;
  /** The end of that line: searched for once, for a whole document may be one line. */
  #lineEnd: number;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
    this.#lineEnd = this.#lineBreakFrom(0);
  }

  document(): YamlNode | undefined {
    if (this.#events[this.#at]?.type !== EVENT_ID.DOCUMENT) return undefined;
    this.#at++;
    return this.#events[this.#at]?.type === EVENT_ID.POP ? undefined : this.#node();
  }

  #node(): YamlNode {
    const event = this.#events[this.#at++] as Event;
    switch (event.type) {
      case EVENT_ID.SCALAR: {
        const plain = event.style === SCALAR_STYLE.PLAIN;
        const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
        const tag = tagName(this.#text.slice(event.tagStart, event.tagEnd), event.tagStart);
        // A block scalar begins where its indicator is, in a line before its text.
        const start = isBlock ? this.#text.slice(0, event.valueStart).trimEnd().length : event.valueStart;
        const line = this.#lineOf(start);
        return this.#anchored(event, {
          kind: "scalar",
          value: isBlock ? this.#blockText(event) : getScalarValue(this.#text, event),
          tag: tag === "!" ? "" : tag,
          plain: plain && tag !== "!",
          line,
        });
      }
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        const node: YamlNode = {
          kind: event.type === EVENT_ID.MAPPING ? "mapping" : "sequence",
          children: [],
          line: this.#lineOf(event.start),
        };
        this.#anchored(event, node); // before its children: they may name it, which is refused when it is read
        while (this.#events[this.#at]?.type !== EVENT_ID.POP) node.children.push(this.#node());
        this.#at++;
        return node;
      }
      case EVENT_ID.ALIAS: {
        const name = this.#text.slice(event.anchorStart, event.anchorEnd);
        const target = this.#anchors.get(name);
        if (!target) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
        return { kind: "alias", name, target, line: this.#lineOf(event.anchorStart) };
      }
      default:
        throw new Error(`a YAML event of type ${event.type} stands where a node should be`);
    }
  }

  /** A block that ends with the text, in the middle of a line, has no line break at its end; js-yaml adds one. */
  #blockText(event: ScalarEvent): string {
    const value = getScalarValue(this.#text, event);
    return event.valueEnd >= this.#text.length && !this.#text.endsWith("\n") && value.endsWith("\n")
      ? value.slice(0, -1)
      : value;
  }

  #anchored<T extends YamlNode>(event: { anchorStart: number; anchorEnd: number }, node: T): T {
    if (event.anchorStart >= 0) this.#anchors.set(this.#text.slice(event.anchorStart, event.anchorEnd), node);
    return node;
  }

  #lineOf(place: number): number {
    while (this.#lineEnd < place) {
      this.#line++;
      this.#lineEnd = this.#lineBreakFrom(this.#lineEnd + 1);
    }
    return this.#line;
  }

  #lineBreakFrom(place: number): number {
    const found = this.#text.indexOf("\n", place);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

/** "!!str" for both ways to write it; "" for none. */
function tagName(written: string, start: number): string {
  if (start < 0) return "";
  return written.replace(/^!<(.*)>$/, "$1").replace(/^tag:yaml\.org,2002:/, "!!");
}
