import { parseArguments, parseObject, parseType } from "./parse-type.js";
import { type DocComment, scan } from "./scan.js";
import type { SourceText } from "./source-place.js";
import { TokenReader } from "./token-reader.js";
import type { Declaration, ImportedName, TypeModule, TypeNode, TypeParameter } from "./type-node.js";

const statementWords = new Set(
  "export import interface type enum const let var function class abstract async declare namespace module".split(" "),
);

/** Reads the type declarations of a TypeScript file and where its other names come from; steps over everything else. */
export function parseModule(source: SourceText): TypeModule {
  const tokens = scan(source);
  const reader = new TokenReader(source, tokens);
  const declarations = new Map<string, Declaration>();
  const imports = new Map<string, ImportedName>();
  const reexports = new Map<string, ImportedName>();
  const exportsAll: ImportedName[] = [];
  while (reader.token.kind !== "end") {
    const { doc, offset } = reader.token;
    if (reader.is("import")) parseImport(reader, imports);
    else if (reader.is("export") && ["{", "*", "type"].includes(reader.peek(1).text) && isReexport(reader))
      parseReexport(reader, reexports, exportsAll);
    else {
      while (["export", "declare", "default"].includes(reader.token.text)) reader.next();
      const declaration = parseDeclaration(reader, doc, offset);
      if (declaration) declarations.set(declaration.name, merged(declarations.get(declaration.name), declaration));
      else skipStatement(reader);
    }
  }
  const docs = tokens.flatMap((token) => (token.doc ? [token.doc] : []));
  return { ...source, declarations, imports, reexports, exportsAll, docs };
}

/** Only the comments of a file: for files whose markers count and whose types do not, so that any TypeScript may be in them. */
export function parseComments(source: SourceText): TypeModule {
  const docs = scan(source).flatMap(({ doc }) => (doc ? [doc] : []));
  return { ...source, declarations: new Map(), imports: new Map(), reexports: new Map(), exportsAll: [], docs };
}

/** Interfaces of one name in one file are one interface, as TypeScript has it. */
function merged(before: Declaration | undefined, declaration: Declaration): Declaration {
  if (before?.type.is !== "object" || declaration.type.is !== "object" || declaration.form !== "interface")
    return declaration;
  return {
    ...before,
    doc: before.doc ?? declaration.doc,
    extends: [...before.extends, ...declaration.extends],
    type: {
      ...before.type,
      members: [...before.type.members, ...declaration.type.members],
      index: before.type.index ?? declaration.type.index,
    },
  };
}

function parseDeclaration(reader: TokenReader, doc: DocComment | undefined, offset: number): Declaration | undefined {
  const isNamed = reader.peek(1).kind === "name";
  if (reader.is("interface") && isNamed) {
    reader.next();
    const name = reader.name();
    const parameters = parseParameters(reader);
    const parents: TypeNode[] = [];
    if (reader.take("extends")) {
      do parents.push(parseHeritage(reader));
      while (reader.take(","));
    }
    return { form: "interface", name, parameters, extends: parents, type: parseObject(reader), doc, offset };
  }
  if (reader.is("type") && isNamed) {
    reader.next();
    const name = reader.name();
    const parameters = parseParameters(reader);
    reader.expect("=");
    const type = parseType(reader);
    reader.take(";");
    return { form: "alias", name, parameters, extends: [], type, doc, offset };
  }
  if (reader.is("const") && reader.peek(1).text === "enum") reader.next();
  if (reader.is("enum") && reader.peek(1).kind === "name") return parseEnum(reader, doc, offset);
  return undefined;
}

function parseHeritage(reader: TokenReader): TypeNode {
  const { offset } = reader.token;
  let name = reader.name();
  while (reader.take(".")) name += `.${reader.name()}`;
  return { is: "reference", name, arguments: parseArguments(reader), offset };
}

function parseParameters(reader: TokenReader): TypeParameter[] {
  const parameters: TypeParameter[] = [];
  if (!reader.take("<")) return parameters;
  while (!reader.take(">")) {
    while (["const", "in", "out"].includes(reader.token.text) && reader.peek(1).kind === "name") reader.next();
    const name = reader.name();
    if (reader.take("extends")) parseType(reader);
    parameters.push({ name, fallback: reader.take("=") ? parseType(reader) : undefined });
    if (!reader.is(">")) reader.expect(",");
  }
  return parameters;
}

/** An enum is the union of its values. */
function parseEnum(reader: TokenReader, doc: DocComment | undefined, offset: number): Declaration {
  reader.next();
  const name = reader.name();
  reader.expect("{");
  const types: TypeNode[] = [];
  let following = 0;
  while (!reader.take("}")) {
    const at = reader.token.offset;
    reader.next();
    const value = reader.take("=") ? parseType(reader) : undefined;
    if (value !== undefined && value.is !== "literal") throw reader.error("the values of an enum are texts or numbers");
    const literal: TypeNode = value ?? { is: "literal", value: following, offset: at };
    if (literal.is === "literal" && typeof literal.value === "number") following = literal.value + 1;
    types.push(literal);
    if (!reader.is("}")) reader.expect(",");
  }
  return { form: "enum", name, parameters: [], extends: [], type: { is: "union", types, offset }, doc, offset };
}

function parseImport(reader: TokenReader, imports: Map<string, ImportedName>): void {
  const { offset } = reader.next();
  if (reader.is("(") || reader.is(".")) return skipStatement(reader);
  if (reader.token.kind === "string") {
    reader.next();
    return;
  }
  if (reader.is("type") && reader.peek(1).text !== "from" && reader.peek(1).text !== ",") reader.next();
  const names: [local: string, name: string][] = [];
  if (reader.token.kind === "name") names.push([reader.name(), "default"]);
  reader.take(",");
  if (reader.take("*")) {
    reader.expect("as");
    names.push([reader.name(), "*"]);
  } else if (reader.is("{")) for (const { name, as } of parseNames(reader)) names.push([as, name]);
  const from = parseFrom(reader);
  for (const [local, name] of names) imports.set(local, { from, name, offset });
}

function isReexport(reader: TokenReader): boolean {
  const first = reader.peek(1).text === "type" ? 2 : 1;
  return ["{", "*"].includes(reader.peek(first).text);
}

function parseReexport(reader: TokenReader, reexports: Map<string, ImportedName>, exportsAll: ImportedName[]): void {
  const { offset } = reader.next();
  reader.take("type");
  if (reader.take("*")) {
    const as = reader.take("as") ? reader.name() : undefined;
    const from = parseFrom(reader);
    if (as === undefined) exportsAll.push({ from, name: "*", offset });
    else reexports.set(as, { from, name: "*", offset });
    return;
  }
  const names = parseNames(reader);
  // `export { A as B }` without a module gives a name of this file another one.
  const from = reader.is("from") ? parseFrom(reader) : "";
  reader.take(";");
  for (const { name, as } of names) if (from !== "" || name !== as) reexports.set(as, { from, name, offset });
}

function parseNames(reader: TokenReader): { name: string; as: string }[] {
  const names: { name: string; as: string }[] = [];
  reader.expect("{");
  while (!reader.take("}")) {
    if (reader.is("type") && reader.peek(1).kind === "name" && reader.peek(1).text !== "as") reader.next();
    const name = reader.next().text;
    names.push({ name, as: reader.take("as") ? reader.next().text : name });
    if (!reader.is("}")) reader.expect(",");
  }
  return names;
}

function parseFrom(reader: TokenReader): string {
  reader.expect("from");
  if (reader.token.kind !== "string") throw reader.error("a module's name is expected here");
  const from = reader.next().text;
  if (reader.take("with")) reader.skipBrackets();
  reader.take(";");
  return from;
}

/** Up to the next statement: behind a semicolon, or before a word that begins one at the start of a line. */
function skipStatement(reader: TokenReader): void {
  const start = reader.token;
  while (reader.token.kind !== "end") {
    const { token } = reader;
    if (token !== start && token.startsLine && statementWords.has(token.text)) return;
    if (token.kind === "punctuation" && ["{", "(", "["].includes(token.text)) reader.skipBrackets();
    else if (reader.next().text === ";" && token.kind === "punctuation") return;
  }
}
