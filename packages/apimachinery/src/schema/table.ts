/**
 * The text form of types, as the generator writes it: compact, one line per member, read at first use.
 *
 *   @io.k8s.api.core.v1 m=io.k8s.apimachinery.pkg.apis.meta.v1    a package begins; m: is short for another
 *   %PullPolicy Always IfNotPresent Never                          the values of a +enum type
 *   ~ResourceList {}Q                                              a named type that is no struct (or another's name for one)
 *   =Pod                                                           a struct begins; words may follow
 *   ^m:TypeMeta 0                                                  a JSON-inline struct; its protobuf number, 0: none
 *   metadata m:ObjectMeta 1 o                                      a member: name, type, protobuf number, words
 *   containers []Container 2 r ps=merge pk=name lt=map lk=name
 *
 * Named types stand before the structs.
 * Types: s string, b bool, i int32, l int64, w uint32, d float64, y bytes, Q quantity, T time, M microTime, D duration,
 * I intOrString, R rawExtension, F fieldsV1, J json, X wrapped string list, s%Name an enum, ~Name a named type, []t, {}t, *t,
 * Ob:/Oa:/Os:Name the unions of JSONSchemaProps, Name or m:Name a struct.
 * Words of a member: o omitempty, z omitzero, r required, a atomic, mt= another map type, ps= patch strategy,
 * pk= patch merge key, lt= list type, lk= list keys, g= feature gates, d= default as JSON without blanks,
 * v= declarative validation rules in force, vc= those that upstream only compares with its hand-written ones.
 * Words of a struct: a atomic, v=, vc=, u=discriminator,field:GoName,… a union as OpenAPI names it.
 * Rules are separated by ";" and read as upstream's markers do, without "+k8s:" and blanks: `maxItems=32;eachVal=format=k8s-uuid`.
 */
export interface TypeTable {
  readonly package: string;
  readonly aliases: ReadonlyMap<string, string>;
  /** The values of each enum. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** What each named type is, and the words after it. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** Each struct's lines, unread: the first has the words of the struct. */
  readonly structs: ReadonlyMap<string, string>;
}

export interface MemberRow {
  /** "" for a JSON-inline struct. */
  readonly name: string;
  readonly type: string;
  readonly number: number;
  readonly words: readonly string[];
}

export interface StructRow {
  readonly words: readonly string[];
  readonly members: readonly MemberRow[];
}

/** Finds where each type stands; members are read by `parseStruct`, when a type is first asked for. */
export function parseTypeTables(text: string): TypeTable[] {
  return `\n${text}`.split("\n@").slice(1).map(parsePackage);
}

function parsePackage(text: string): TypeTable {
  const [head = "", ...blocks] = text.trimEnd().split("\n=");
  const [first = "", ...lines] = head.split("\n");
  const [name = "", ...aliases] = first.split(" ");
  const table = { package: name, aliases: new Map(aliases.map(splitValue)), enums: new Map<string, string[]>(), named: new Map<string, string[]>(), structs: new Map<string, string>() };
  for (const line of lines) {
    const [type = "", ...words] = line.slice(1).split(" ");
    if (line[0] === "%") table.enums.set(type, words);
    else if (line[0] === "~") table.named.set(type, words);
    else throw new Error(`type table ${name}: "${line}" stands before any struct`);
  }
  for (const block of blocks) table.structs.set(firstWord(block), block);
  return table;
}

function firstWord(block: string): string {
  for (let at = 0; at < block.length; at++) {
    const char = block.charCodeAt(at);
    if (char === 32 || char === 10) return block.slice(0, at);
  }
  return block;
}

export function parseStruct(block: string): StructRow {
  const [head = "", ...lines] = block.split("\n");
  const members = lines.map((line): MemberRow => {
    const words = line.split(" ");
    if (line[0] !== "^") return { name: words[0] ?? "", type: words[1] ?? "", number: Number(words[2]), words: words.slice(3) };
    return { name: "", type: words[0]?.slice(1) ?? "", number: Number(words[1]), words: words.slice(2) };
  });
  return { words: head.split(" ").slice(1), members };
}

/** The value of the word `key=value`, if there is one. */
export function valueOf(words: readonly string[], key: string): string | undefined {
  for (const word of words) if (word.startsWith(key) && word[key.length] === "=") return word.slice(key.length + 1);
  return undefined;
}

function splitValue(word: string): [string, string] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}
