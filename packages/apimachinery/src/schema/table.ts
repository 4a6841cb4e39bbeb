/**
 * The text form of types, as the generator writes it: compact, one line per member, read at first use.
 *
 *   @io.k8s.api.core.v1 m=io.k8s.apimachinery.pkg.apis.meta.v1    a package begins; m: is short for another
 *   %PullPolicy Always IfNotPresent Never                          the values of a +enum type; _ is a blank in one
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
 * Words: see `words.ts`.
 */
export interface TypeTable {
  readonly package: string;
  readonly aliases: ReadonlyMap<string, string>;
  /** The values of each enum. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** What each named type is: its type, and after a blank its words. */
  readonly named: ReadonlyMap<string, string>;
  /** Each struct's lines, unread. The first line is the name and the words of the struct. */
  readonly structs: ReadonlyMap<string, string>;
}

/** Finds where each type stands; a struct's lines are read when it is first asked for. */
export function parseTypeTables(text: string): TypeTable[] {
  return `\n${text}`.split("\n@").slice(1).map(parsePackage);
}

function parsePackage(text: string): TypeTable {
  const [head = "", ...blocks] = text.trimEnd().split("\n=");
  const [first = "", ...lines] = head.split("\n");
  const [name = "", ...aliases] = first.split(" ");
  const enums = new Map<string, string[]>();
  const named = new Map<string, string>();
  for (const line of lines) {
    const [type, rest] = cut(line.slice(1), " ");
    if (line[0] === "%")
      enums.set(
        type,
        rest.split(" ").map((value) => value.replaceAll("_", " ")),
      );
    else if (line[0] === "~") named.set(type, rest);
    else throw new Error(`type table ${name}: "${line}" stands before any struct`);
  }
  const structs = new Map(blocks.map((block) => [cut(cut(block, "\n")[0], " ")[0], block]));
  return { package: name, aliases: new Map(aliases.map((alias) => cut(alias, "="))), enums, named, structs };
}

/** What stands before the first `separator`, and what after; all of it and "" when there is none. */
export function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
