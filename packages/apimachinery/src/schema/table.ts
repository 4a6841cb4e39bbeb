/**
 * The text form of types, as the generator writes it: compact, one line per member, read at first use.
 *
 *   @io.k8s.api.core.v1 m=io.k8s.apimachinery.pkg.apis.meta.v1    a package begins; m: is short for another
 *   %PullPolicy Always IfNotPresent Never                          the values of a +enum type
 *   =Pod                                                           a struct begins; flags may follow (a: atomic)
 *   ^m:TypeMeta 0                                                  a JSON-inline struct; its protobuf number, 0: none
 *   metadata m:ObjectMeta 1 o                                      a member: name, type, protobuf number, flags
 *   containers []Container 2 r ps=merge pk=name lt=map lk=name
 *
 * Types: s string, b bool, i int32, l int64, w uint32, d float64, y bytes, Q quantity, T time, M microTime, D duration,
 * I intOrString, R rawExtension, F fieldsV1, J json, X wrapped string list, s%Name an enum, []t, {}t, *t,
 * Ob:/Oa:/Os:Name the unions of JSONSchemaProps, Name or m:Name a struct.
 * Flags: o omitempty, z omitzero, r required, a atomic, ps= patch strategy, pk= patch merge key, lt= list type,
 * lk= list keys, g= feature gate, d= default as JSON without blanks.
 */
export interface StructRow {
  /** Name with its package. */
  readonly name: string;
  readonly atomic: boolean;
  readonly members: readonly MemberRow[];
}

export interface MemberRow {
  /** "" for a JSON-inline struct. */
  readonly name: string;
  readonly type: string;
  readonly number: number;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/** A package's text, split into rows; types are still text in it, and are resolved through `aliases` and `enums`. */
export interface TypeTable {
  readonly package: string;
  readonly aliases: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
  readonly structs: ReadonlyMap<string, StructRow>;
}

export function parseTypeTables(text: string): TypeTable[] {
  const tables: TypeTable[] = [];
  let current: { package: string; aliases: Map<string, string>; enums: Map<string, string[]>; structs: Map<string, StructRow> } | undefined;
  let members: MemberRow[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const words = line.slice(1).split(" ");
    const first = words[0] ?? "";
    if (line[0] === "@") {
      current = { package: first, aliases: new Map(words.slice(1).map(splitValue)), enums: new Map(), structs: new Map() };
      tables.push(current);
      continue;
    }
    if (!current) throw new Error(`type table: "${line}" stands before any @package`);
    if (line[0] === "%") {
      current.enums.set(first, words.slice(1));
    } else if (line[0] === "=") {
      members = [];
      current.structs.set(first, { name: `${current.package}.${first}`, atomic: words.includes("a"), members });
    } else if (line[0] === "^") {
      members.push({ name: "", type: first, number: Number(words[1]), ...parseFlags(words.slice(2)) });
    } else {
      const [name = "", type = "", number, ...flags] = line.split(" ");
      members.push({ name, type, number: Number(number), ...parseFlags(flags) });
    }
  }
  return tables;
}

function parseFlags(words: readonly string[]): Pick<MemberRow, "flags" | "values"> {
  return {
    flags: new Set(words.filter((word) => !word.includes("="))),
    values: new Map(words.filter((word) => word.includes("=")).map(splitValue)),
  };
}

function splitValue(word: string): [string, string] {
  const at = word.indexOf("=");
  return [word.slice(0, at), word.slice(at + 1)];
}
