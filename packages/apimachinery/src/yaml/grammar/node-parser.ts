import type { Steps } from "@coxswain/runtime/steps";
import { append } from "../../append/index.js";
import { DecodeError } from "../../json/index.js";
import * as char from "./characters.js";
import { hasProperties, noProperties, type Properties, readAliasName, readProperty } from "./properties.js";
import { type ReadScalar, readBlock, readDoubleQuoted, readPlain, readSingleQuoted } from "./read-scalar.js";
import type { Place, TextReader } from "./text-reader.js";
import type { YamlCollection, YamlNode } from "./yaml-node.js";

/** Nodes are nested recursively; beyond this they could run out of stack. No object is nested this deep. */
const maxDepth = 500;

/** Nodes between two places where others may run, and about how long each takes. */
const nodesPerStep = 64;
const microsPerNode = 1;

/** Less than any line has. */
const anyIndent = -1;

/** Where a node stands: in or before brackets, or as a value or an item of a block. */
type Context = "in-flow" | "key" | "item" | "value";

interface Expected {
  readonly context: Context;
  /** Of what the node belongs to. */
  readonly indent: number;
  /** Whether it may begin in a later line. */
  readonly maySeek?: boolean;
  /** Whether a block may begin in this line: `- a: 1`. */
  readonly allowsCompact: boolean;
  /** Whether its properties may belong to the first key of a mapping: `&a key: value`. */
  readonly allowsPropertyOfKey?: boolean;
}

/** An attempt to read something that may turn out to be something else. */
interface Attempt {
  readonly place: Place;
  readonly anchors: number;
}

/**
 * The nodes of one document, by the productions of YAML 1.2.2 as go-yaml reads them. Whatever begins like something is read as it, in
 * the order of the methods below; what turns out not to be it is read again.
 */
export class NodeParser {
  readonly #reader: TextReader;
  readonly #handles: ReadonlySet<string>;
  readonly #anchors = new Map<string, YamlNode>();
  /** What anchors meant before, so that an attempt can be taken back. */
  readonly #anchorLog: { name: string; before: YamlNode | undefined }[] = [];
  #depth = 0;
  #nodes = 0;
  /** Of the node that was begun last: an empty one, of which nothing is written, is there. */
  #line = 1;

  constructor(reader: TextReader, handles: ReadonlySet<string>) {
    this.#reader = reader;
    this.#handles = handles;
  }

  /** @param begunBelow whether it begins in a line below its marker */
  *document(begunBelow: boolean): Steps<YamlNode> {
    const node = yield* this.#node({
      context: "value",
      indent: this.#reader.lineIndent - 1,
      allowsCompact: begunBelow,
      allowsPropertyOfKey: begunBelow,
    });
    return node ?? this.#empty();
  }

  *#node(expected: Expected): Steps<YamlNode | undefined> {
    const reader = this.#reader;
    if (++this.#nodes % nodesPerStep === 0) yield nodesPerStep * microsPerNode;
    if (this.#depth >= maxDepth) reader.fail("exceeded max depth");
    this.#depth++;
    const node = yield* this.#nodeHere(expected);
    this.#depth--;
    return node;
  }

  *#nodeHere(expected: Expected): Steps<YamlNode | undefined> {
    const { context, indent, maySeek = false, allowsCompact, allowsPropertyOfKey = true } = expected;
    const reader = this.#reader;
    const isInBlock = context === "value" || context === "item";
    let atNewLine = maySeek && reader.skipSpace();
    let allowsBlocks = isInBlock;
    const properties = noProperties();
    let begun: Place | undefined;
    while (!atNewLine || reader.lineIndent > indent) {
      const code = reader.peek();
      if (code !== char.exclamationMark && code !== char.ampersand) break;
      if (atNewLine && isInBlock && hasProperties(properties)) {
        const attempt = this.#attempt();
        const mapping = yield* this.#blockMapping(reader.column, indent + 1, properties);
        if (mapping?.kind === "mapping") return mapping;
        this.#takeBack(attempt);
      }
      if (atNewLine && (code === char.exclamationMark ? properties.tag : properties.anchor) !== "") break;
      begun ??= reader.place();
      readProperty(reader, properties, { isInFlow: context === "in-flow", handles: this.#handles });
      const wasBroken = reader.skipSpace();
      if (wasBroken) atNewLine = true;
      allowsBlocks = wasBroken && isInBlock;
    }
    allowsBlocks &&= atNewLine || allowsCompact;
    const flowIndent = isInBlock ? indent + 1 : indent;
    const isInside = !atNewLine || reader.lineIndent > indent;
    let node: YamlNode | undefined;
    if (isInside) {
      if (allowsBlocks)
        node =
          (yield* this.#blockSequence(reader.column, properties)) ??
          (yield* this.#blockMapping(reader.column, flowIndent, properties));
      node ??= yield* this.#flowCollection(properties);
      if (!node && begun && allowsPropertyOfKey && isInBlock && !allowsBlocks)
        node = yield* this.#mappingWithProperty(begun, flowIndent);
      node ??= this.#scalarOrAlias(context, flowIndent, properties);
    } else if (context === "value" && reader.lineIndent === indent && allowsBlocks)
      node = yield* this.#blockSequence(reader.column, properties);
    if (!node && (hasProperties(properties) || isInBlock)) node = this.#empty(properties);
    return node;
  }

  /** `&a key: value`: what stands before the key belongs to it. */
  *#mappingWithProperty(begun: Place, flowIndent: number): Steps<YamlNode | undefined> {
    const code = this.#reader.peek();
    if (code === char.verticalBar || code === char.greaterThan) return undefined;
    const attempt = this.#attempt();
    this.#reader.returnTo(begun);
    const mapping = yield* this.#blockMapping(begun.position - begun.lineStart, flowIndent, noProperties());
    if (mapping?.kind === "mapping") return mapping;
    this.#takeBack(attempt);
    return undefined;
  }

  *#blockSequence(indent: number, properties: Properties): Steps<YamlNode | undefined> {
    const reader = this.#reader;
    if (reader.firstTab !== -1 || !this.#isIndicator(char.dash)) return undefined;
    const sequence = this.#collection("sequence", properties);
    while (this.#isIndicator(char.dash)) {
      if (reader.firstTab !== -1) reader.fail("tab characters must not be used in indentation", reader.firstTab);
      const { line } = reader;
      reader.position++;
      const isBelow = reader.skipSpace();
      // Here, too: an empty item is no node that is read.
      if (++this.#nodes % nodesPerStep === 0) yield nodesPerStep * microsPerNode;
      if (reader.firstTab !== -1 && this.#isIndicator(char.dash)) reader.fail("bad indentation of a sequence entry");
      const item =
        isBelow && reader.lineIndent <= indent
          ? this.#empty()
          : yield* this.#node({ context: "item", indent, allowsCompact: true });
      sequence.children.push(item ?? this.#empty());
      reader.skipSpace();
      if (reader.lineIndent < indent || reader.isAtEnd) break;
      if (reader.lineIndent > indent || this.#isBehindNode() || (reader.line === line && this.#isIndicator(char.dash)))
        reader.fail("bad indentation of a sequence entry");
    }
    return sequence;
  }

  /**
   * A mapping; or, where the first key has no colon, that node alone. Undefined: neither, or a node that has properties, which its own
   * reader is to see.
   */
  *#blockMapping(indent: number, flowIndent: number, properties: Properties): Steps<YamlNode | undefined> {
    const reader = this.#reader;
    if (reader.firstTab !== -1 || reader.isAtEnd) return undefined;
    const attempt = this.#attempt();
    const mapping = this.#collection("mapping", properties);
    let isMapping = false;
    /** Behind `? key`, whose value may follow. */
    let awaitsValue = false;
    for (let code = reader.peek(); code !== char.endOfText; code = reader.peek()) {
      if (!awaitsValue && reader.firstTab !== -1)
        reader.fail("tab characters must not be used in indentation", reader.firstTab);
      const { line } = reader;
      let isExplicit = false;
      if (this.#isIndicator(char.questionMark) || this.#isIndicator(char.colon)) {
        const isKey = code === char.questionMark;
        // A key without a value, or a value without a key.
        if (isKey === awaitsValue) mapping.children.push(this.#empty());
        awaitsValue = isKey;
        isMapping = isExplicit = true;
        reader.position++;
      } else {
        if (awaitsValue) mapping.children.push(this.#empty());
        awaitsValue = false;
        const key = yield* this.#node({ context: "key", indent: flowIndent, allowsCompact: true });
        if (!key) break;
        if (!this.#passColon(line, isMapping)) {
          if (hasProperties(properties)) this.#takeBack(attempt);
          return hasProperties(properties) ? undefined : key;
        }
        isMapping = true;
        mapping.children.push(key);
      }
      const value = yield* this.#node({ context: "value", indent, maySeek: true, allowsCompact: isExplicit });
      mapping.children.push(value ?? this.#empty());
      reader.skipSpace();
      if ((reader.line === line || reader.lineIndent > indent || this.#isBehindNode()) && !reader.isAtEnd)
        reader.fail("bad indentation of a mapping entry");
      if (reader.lineIndent < indent) break;
    }
    if (!isMapping) {
      this.#takeBack(attempt);
      return undefined;
    }
    if (awaitsValue) mapping.children.push(this.#empty());
    return mapping;
  }

  /** Behind the key of a block mapping that began in `line`. @returns false: it is no key */
  #passColon(line: number, isMapping: boolean): boolean {
    const reader = this.#reader;
    if (reader.line !== line) {
      if (isMapping) reader.fail("can not read a block mapping entry; a multiline key may not be an implicit key");
      return false;
    }
    reader.skipBlanks();
    if (reader.peek() !== char.colon) {
      if (isMapping) reader.fail("expected ':' after a mapping key");
      return false;
    }
    reader.position++;
    if (!char.isBlankBreakOrEnd(reader.peek()))
      reader.fail("a whitespace character is expected after the key-value separator within a block mapping");
    return true;
  }

  /** `[…]` or `{…}`. go-yaml does not look at indentation within. */
  *#flowCollection(properties: Properties): Steps<YamlNode | undefined> {
    const reader = this.#reader;
    const open = reader.peek();
    if (open !== char.openBracket && open !== char.openBrace) return undefined;
    const isMapping = open === char.openBrace;
    const close = isMapping ? char.closeBrace : char.closeBracket;
    const collection = this.#collection(isMapping ? "mapping" : "sequence", properties);
    reader.position++;
    let isSeparated = true;
    while (!reader.isAtEnd) {
      reader.skipSpace();
      if (reader.peek() === close) {
        reader.position++;
        return collection;
      }
      if (!isSeparated) reader.fail("missed comma between flow collection entries");
      if (reader.peek() === char.comma) reader.fail("expected the node content, but found ','");
      yield* this.#flowEntry(collection);
      isSeparated = reader.peek() === char.comma;
      if (isSeparated) reader.position++;
    }
    return reader.fail("unexpected end of the stream within a flow collection");
  }

  /** An item, a pair of a mapping, or a pair as an item: `[a: b]`. */
  *#flowEntry({ kind, children }: YamlCollection): Steps<void> {
    const reader = this.#reader;
    const isExplicit = reader.peek() === char.questionMark && char.isBlankOrBreak(reader.peek(1));
    if (isExplicit) {
      reader.position++;
      reader.skipSpace();
    }
    const { line } = reader;
    const key = yield* this.#node({ context: "in-flow", indent: anyIndent, allowsCompact: true });
    reader.skipSpace();
    const hasColon = reader.peek() === char.colon && (kind === "mapping" || isExplicit || reader.line === line);
    if (kind === "sequence" && !hasColon && !isExplicit) {
      if (key) children.push(key);
      return;
    }
    const pair: YamlNode[] = [key ?? this.#empty()];
    if (hasColon) {
      reader.position++;
      reader.skipSpace();
      pair.push((yield* this.#node({ context: "in-flow", indent: anyIndent, allowsCompact: true })) ?? this.#empty());
      reader.skipSpace();
    } else pair.push(this.#empty());
    if (kind === "mapping") append(children, pair);
    else children.push({ kind: "mapping", children: pair, line: line + 1 });
  }

  #scalarOrAlias(context: Context, indent: number, properties: Properties): YamlNode | undefined {
    const reader = this.#reader;
    const isInBlock = context === "value" || context === "item";
    const scalar =
      (isInBlock ? readBlock(reader, indent) : undefined) ?? readSingleQuoted(reader) ?? readDoubleQuoted(reader);
    if (scalar) return this.#scalar(scalar, properties);
    const { line } = reader;
    const name = readAliasName(reader, properties);
    if (name !== undefined) return this.#alias(name, line);
    const plain = readPlain(reader, indent, context === "in-flow");
    return plain && this.#scalar(plain, properties);
  }

  /** In the line where a node ended that began in another one: brackets and quotes may end anywhere. */
  #isBehindNode(): boolean {
    return this.#reader.column > this.#reader.lineIndent && this.#reader.firstTab === -1;
  }

  #isIndicator(code: number): boolean {
    return this.#reader.peek() === code && char.isBlankBreakOrEnd(this.#reader.peek(1));
  }

  #collection(kind: "mapping" | "sequence", { anchor }: Properties): YamlCollection {
    this.#line = this.#reader.line + 1;
    return this.#anchored(anchor, { kind, children: [], line: this.#line }); // before its children: they may name it, which is refused when it is read
  }

  #scalar({ value, isPlain, line }: ReadScalar, properties: Properties): YamlNode {
    this.#line = line + 1;
    return this.#written(value, isPlain, properties);
  }

  #empty(properties: Properties = noProperties()): YamlNode {
    return this.#written("", true, properties);
  }

  #written(value: string, isPlain: boolean, { tag: written, anchor }: Properties): YamlNode {
    const tag = tagName(written);
    const isText = tag === "!";
    return this.#anchored(anchor, {
      kind: "scalar",
      value,
      tag: isText ? "" : tag,
      plain: isPlain && !isText,
      line: this.#line,
    });
  }

  #alias(name: string, line: number): YamlNode {
    const target = this.#anchors.get(name);
    if (!target) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    this.#line = line + 1;
    return { kind: "alias", name, target, line: this.#line };
  }

  #anchored<T extends YamlNode>(name: string, node: T): T {
    if (name === "") return node;
    this.#anchorLog.push({ name, before: this.#anchors.get(name) });
    this.#anchors.set(name, node);
    return node;
  }

  #attempt(): Attempt {
    return { place: this.#reader.place(), anchors: this.#anchorLog.length };
  }

  #takeBack({ place, anchors }: Attempt): void {
    this.#reader.returnTo(place);
    while (this.#anchorLog.length > anchors) {
      const last = this.#anchorLog.pop();
      if (last?.before) this.#anchors.set(last.name, last.before);
      else if (last) this.#anchors.delete(last.name);
    }
  }
}

/** "!!str" for both ways to write it; "" for none. */
const tagName = (written: string): string => written.replace(/^!<(.*)>$/, "$1").replace(/^tag:yaml\.org,2002:/, "!!");
