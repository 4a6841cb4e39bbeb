import type { TokenReader } from "./token-reader.js";
import type { MemberNode, TypeNode } from "./type-node.js";

const keywords = new Set("string number boolean bigint symbol null undefined void never any unknown object".split(" "));

/** Reads a type where the reader stands: unions of intersections of operators on primary types. */
export function parseType(reader: TokenReader): TypeNode {
  const { offset } = reader.token;
  const type = parseUnion(reader);
  if (!reader.is("extends")) return type;
  // A conditional type; its branches are stepped over, so that the rest of the file is still read.
  reader.next();
  parseUnion(reader);
  reader.expect("?");
  parseType(reader);
  reader.expect(":");
  parseType(reader);
  return { is: "unsupported", what: "a conditional type", offset };
}

function parseUnion(reader: TokenReader): TypeNode {
  return parseOperands(reader, "|", "union", (inner) => parseOperands(inner, "&", "intersection", parsePostfix));
}

function parseOperands(
  reader: TokenReader,
  operator: "|" | "&",
  is: "union" | "intersection",
  parseOperand: (reader: TokenReader) => TypeNode,
): TypeNode {
  const { offset } = reader.token;
  reader.take(operator);
  const types = [parseOperand(reader)];
  while (reader.take(operator)) types.push(parseOperand(reader));
  return types.length === 1 ? types[0]! : { is, types, offset };
}

function parsePostfix(reader: TokenReader): TypeNode {
  let type = parsePrimary(reader);
  while (reader.is("[") && !reader.token.startsLine) {
    reader.next();
    if (reader.take("]")) type = { is: "array", element: type, offset: type.offset };
    else {
      const index = parseType(reader);
      reader.expect("]");
      type = { is: "indexed", object: type, index, offset: type.offset };
    }
  }
  return type;
}

function parsePrimary(reader: TokenReader): TypeNode {
  const { token } = reader;
  const { offset } = token;
  const unsupported = (what: string): TypeNode => ({ is: "unsupported", what, offset });
  if (token.kind === "string") return { is: "literal", value: reader.next().text, offset };
  if (token.kind === "number") return { is: "literal", value: readNumber(reader), offset };
  if (token.kind === "template") {
    reader.next();
    return unsupported("a template literal type");
  }
  if (reader.take("-")) return { is: "literal", value: -readNumber(reader), offset };
  if (reader.is("{")) return parseObject(reader);
  if (reader.is("[")) return parseTuple(reader);
  if (reader.is("(")) return parseParentheses(reader);
  if (token.kind !== "name") throw reader.error(`a type is expected here, not "${token.text}"`);
  if (token.text === "keyof") {
    reader.next();
    return { is: "keyof", of: parsePostfix(reader), offset };
  }
  if (token.text === "readonly") {
    reader.next();
    return parsePostfix(reader);
  }
  if (token.text === "typeof" || token.text === "infer" || token.text === "unique" || token.text === "asserts") {
    reader.next();
    parsePostfix(reader);
    return unsupported(`a type with "${token.text}"`);
  }
  if (token.text === "new" || token.text === "abstract") {
    reader.next();
    parsePrimary(reader);
    return unsupported("a constructor type");
  }
  if (token.text === "import" && reader.peek(1).text === "(") return parseImportType(reader);
  if (token.text === "true" || token.text === "false")
    return { is: "literal", value: reader.next().text === "true", offset };
  let name = reader.name();
  if (keywords.has(name) && !reader.is(".")) return { is: "keyword", name, offset };
  while (reader.take(".")) name += `.${reader.name()}`;
  return { is: "reference", name, arguments: parseArguments(reader), offset };
}

/** `import("./video.js").Video`: nobody needs it in an API; a name imported at the top does the same. */
function parseImportType(reader: TokenReader): TypeNode {
  const { offset } = reader.next();
  reader.skipBrackets();
  while (reader.take(".")) reader.name();
  parseArguments(reader);
  return { is: "unsupported", what: "an import inside a type (import the name at the top of the file)", offset };
}

export function parseArguments(reader: TokenReader): TypeNode[] {
  if (!reader.take("<")) return [];
  const types = [parseType(reader)];
  while (reader.take(",") && !reader.is(">")) types.push(parseType(reader));
  reader.expect(">");
  return types;
}

function readNumber(reader: TokenReader): number {
  const { token } = reader;
  const value = Number(token.text.replaceAll("_", ""));
  if (token.kind !== "number" || Number.isNaN(value))
    throw reader.error(`a number is expected here, not "${token.text}"`);
  reader.next();
  return value;
}

function parseTuple(reader: TokenReader): TypeNode {
  const { offset } = reader.expect("[");
  const elements: TypeNode[] = [];
  while (!reader.take("]")) {
    reader.take("...");
    if (reader.token.kind === "name" && [":", "?"].includes(reader.peek(1).text)) {
      reader.next();
      reader.take("?");
      reader.expect(":");
    }
    elements.push(parseType(reader));
    reader.take("?");
    if (!reader.is("]")) reader.expect(",");
  }
  return { is: "tuple", elements, offset };
}

/** A type in parentheses, or the parameters of a function type. */
function parseParentheses(reader: TokenReader): TypeNode {
  const { offset } = reader.token;
  if (isFunctionType(reader)) {
    reader.skipBrackets();
    reader.expect("=>");
    parseType(reader);
    return { is: "unsupported", what: "a function type", offset };
  }
  reader.expect("(");
  const type = parseType(reader);
  reader.expect(")");
  return type;
}

function isFunctionType(reader: TokenReader): boolean {
  const [first, second] = [reader.peek(1), reader.peek(2)];
  if (first.text === ")" || first.text === "...") return true;
  return first.kind === "name" && [":", "?", ","].includes(second.text);
}

/** The braces of an object type, of an interface or of a mapped type. */
export function parseObject(reader: TokenReader): TypeNode {
  const { offset } = reader.expect("{");
  if (isMapped(reader)) return parseMapped(reader, offset);
  const members: MemberNode[] = [];
  let index: TypeNode | undefined;
  while (!reader.take("}")) {
    const { doc, offset: at } = reader.token;
    if (reader.is("readonly") && ![":", "?", ";", ","].includes(reader.peek(1).text)) reader.next();
    if (reader.is("[") && reader.peek(1).kind === "name" && reader.peek(2).text === ":") {
      reader.next();
      reader.name();
      reader.expect(":");
      const key = parseType(reader);
      if (key.is !== "keyword" || key.name !== "string") throw reader.error("the keys of a map are strings");
      reader.expect("]");
      reader.expect(":");
      index = parseType(reader);
    } else members.push(parseMember(reader, doc, at));
    if (!reader.take(";")) reader.take(",");
  }
  return { is: "object", members, index, offset };
}

function parseMember(reader: TokenReader, doc: MemberNode["doc"], offset: number): MemberNode {
  const { token } = reader;
  if (reader.is("[") || reader.is("(") || reader.is("<")) {
    throw reader.error("only members with a plain name can be in an API's types");
  }
  if (token.kind !== "name" && token.kind !== "string" && token.kind !== "number")
    throw reader.error(`a member's name is expected here, not "${token.text}"`);
  const name = reader.next().text;
  const optional = reader.take("?");
  if (reader.is("(") || reader.is("<")) {
    while (!reader.is("(")) reader.next();
    reader.skipBrackets();
    if (reader.take(":")) parseType(reader);
    return { name, optional, doc, offset, type: { is: "unsupported", what: "a method", offset } };
  }
  reader.expect(":");
  return { name, optional, type: parseType(reader), doc, offset };
}

function isMapped(reader: TokenReader): boolean {
  const start = reader.is("readonly") ? 1 : 0;
  return reader.peek(start).text === "[" && reader.peek(start + 2).text === "in";
}

function parseMapped(reader: TokenReader, offset: number): TypeNode {
  reader.take("readonly");
  reader.expect("[");
  const parameter = reader.name();
  reader.expect("in");
  const over = parseType(reader);
  const renames = reader.take("as");
  if (renames) parseType(reader);
  reader.expect("]");
  if (reader.is("-") || reader.is("+")) reader.next();
  const optional = reader.take("?");
  reader.expect(":");
  const value = parseType(reader);
  reader.take(";");
  reader.expect("}");
  if (renames) return { is: "unsupported", what: "a mapped type that renames its members", offset };
  return { is: "mapped", parameter, over, value, optional, offset };
}
