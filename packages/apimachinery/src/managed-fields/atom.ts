import { type FieldNode, type ListType, type SchemaNode, typeCodes } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { fieldElement, type PathElement } from "./path-element.js";

export type Scalar = "numeric" | "string" | "boolean" | "untyped";

/**
 * A type as apply sees it: what a value may be, and how two of them merge. A value that may be several things has several
 * members set. Follows what upstream makes of its OpenAPI (k8s.io/kube-openapi/pkg/schemaconv).
 */
export interface Atom {
  readonly scalar: Scalar | undefined;
  readonly list: ListAtom | undefined;
  readonly map: MapAtom | undefined;
}

export interface ListAtom {
  readonly element: Atom;
  /** Items have an identity: their keys, or themselves in a set. Otherwise the list is one value. */
  readonly associative: boolean;
  /** Sorted; empty: a set. */
  readonly keys: readonly string[];
  /** As the type declares them: messages name them so. */
  readonly declaredKeys: readonly string[];
  /** What an absent key counts as; undefined: nothing. */
  readonly keyDefaults: readonly unknown[];
}

export interface AtomField {
  readonly name: string;
  readonly element: PathElement;
  readonly atom: Atom;
}

/** A struct, or a map; linked when first asked, since types contain themselves. */
export class MapAtom {
  /** What members have that no field names; undefined: there must be none. */
  readonly element: Atom | undefined;
  /** One value, not many. */
  readonly atomic: boolean;
  readonly #source: readonly FieldNode[];
  readonly #lenient: boolean;
  #fields: readonly AtomField[] | undefined;
  #byName: ReadonlyMap<string, AtomField> | undefined;
  #byElement: ReadonlyMap<PathElement, AtomField> | undefined;

  constructor(
    source: readonly FieldNode[],
    element: Atom | undefined,
    { atomic, lenient = false }: { atomic: boolean; lenient?: boolean },
  ) {
    this.#source = source;
    this.#lenient = lenient;
    this.element = element;
    this.atomic = atomic;
  }

  /** By name, in the order of sets. */
  get fields(): readonly AtomField[] {
    return (this.#fields ??= this.#source
      .map((field) => ({
        name: field.name,
        element: fieldElement(field.name),
        atom: atomOfField(field, this.#lenient),
      }))
      .sort((a, b) => compareUtf8(a.name, b.name)));
  }

  get byName(): ReadonlyMap<string, AtomField> {
    return (this.#byName ??= new Map(this.fields.map((field) => [field.name, field])));
  }

  get byElement(): ReadonlyMap<PathElement, AtomField> {
    return (this.#byElement ??= new Map(this.fields.map((field) => [field.element, field])));
  }

  /** The type of a member; undefined if there must be none of that name. */
  atomOf(name: string): Atom | undefined {
    return this.byName.get(name)?.atom ?? this.element;
  }

  /** Nothing is known of its members: sets are not reconciled with it. */
  get isUntyped(): boolean {
    return this.element === deduced && this.#source.length === 0;
  }
}

interface MutableAtom extends Atom {
  scalar: Scalar | undefined;
  list: ListAtom | undefined;
  map: MapAtom | undefined;
}

const newAtom = (scalar: Scalar | undefined): MutableAtom => ({ scalar, list: undefined, map: undefined });
const listOf = (element: Atom): ListAtom => ({
  element,
  associative: false,
  keys: [],
  declaredKeys: [],
  keyDefaults: [],
});

/** Anything, as one value. */
const untyped = newAtom("untyped");
untyped.list = listOf(untyped);
untyped.map = new MapAtom([], untyped, { atomic: true });

/** Anything; objects merge member by member. */
export const deduced: Atom = deducedAtom();
function deducedAtom(): Atom {
  const atom = newAtom("untyped");
  atom.list = listOf(untyped);
  atom.map = new MapAtom([], atom, { atomic: false });
  return atom;
}

const anyObject: Atom = { scalar: undefined, list: undefined, map: new MapAtom([], deduced, { atomic: false }) };

const scalars: Readonly<Partial<Record<number, Atom>>> = {
  [typeCodes.string]: newAtom("string"),
  [typeCodes.bytes]: newAtom("string"),
  [typeCodes.duration]: newAtom("string"),
  [typeCodes.bool]: newAtom("boolean"),
  [typeCodes.int32]: newAtom("numeric"),
  [typeCodes.int64]: newAtom("numeric"),
  [typeCodes.uint32]: newAtom("numeric"),
  [typeCodes.float64]: newAtom("numeric"),
  [typeCodes.quantity]: newAtom("untyped"),
  [typeCodes.time]: newAtom("untyped"),
  [typeCodes.microTime]: newAtom("untyped"),
  [typeCodes.intOrString]: newAtom("untyped"),
  [typeCodes.rawExtension]: untyped,
  [typeCodes.fieldsV1]: anyObject,
  [typeCodes.json]: deduced,
  [typeCodes.schemaOrBool]: deduced,
  [typeCodes.schemaOrArray]: deduced,
  [typeCodes.schemaOrStringArray]: deduced,
  [typeCodes.wrappedStringList]: { scalar: undefined, list: listOf(newAtom("string")), map: undefined },
};

const atoms = new WeakMap<SchemaNode, Atom>();
const lenientAtoms = new WeakMap<SchemaNode, Atom>();

/** `lenient`: below a struct that keeps unknown members all others keep them too, to upstream. */
export function atomOf(node: SchemaNode, lenient = false): Atom {
  const known = scalars[node.code] ?? (lenient ? lenientAtoms : atoms).get(node);
  if (known) return known;
  const atom = newAtom(undefined);
  (lenient ? lenientAtoms : atoms).set(node, atom); // before its parts: types contain themselves
  const inner = lenient || node.preserveUnknown;
  if (node.code === typeCodes.list) atom.list = listAtom(node, node.listType, inner);
  else if (node.code === typeCodes.map)
    atom.map = new MapAtom([], node.element ? atomOf(node.element, inner) : deduced, { atomic: node.atomic });
  else atom.map = new MapAtom(node.fields, elementOf(node, inner), { atomic: node.atomic, lenient: inner });
  return atom;
}

/** A struct without members is free-form to OpenAPI. Of custom resources, a struct may have a type for its other members. */
function elementOf(node: SchemaNode, lenient: boolean): Atom | undefined {
  if (node.element) return atomOf(node.element, lenient);
  return lenient || node.fields.length === 0 ? deduced : undefined;
}

/** A list whose type has no list type takes its identity from the patch strategy. */
function atomOfField({ type, patchStrategy, patchMergeKey }: FieldNode, lenient: boolean): Atom {
  if (
    type.code !== typeCodes.list ||
    type.applyType !== "" ||
    type.listType !== "atomic" ||
    !patchStrategy.includes("merge")
  )
    return atomOf(type, lenient);
  const list = {
    ...type,
    listType: patchMergeKey === "" ? "set" : "map",
    listKeys: patchMergeKey === "" ? [] : [patchMergeKey],
  } as const;
  return { scalar: undefined, list: listAtom(list, list.listType, lenient), map: undefined };
}

function listAtom(node: SchemaNode, listType: ListType, lenient: boolean): ListAtom {
  const element = node.element ? atomOf(node.element, lenient) : untyped;
  if (listType === "atomic") return listOf(element);
  const declaredKeys = listType === "map" ? node.listKeys : [];
  const keys = [...declaredKeys].sort(compareUtf8);
  return {
    element,
    associative: true,
    keys,
    declaredKeys,
    keyDefaults: keys.map((key) => keyDefault(node.element?.byName.get(key))),
  };
}

/** OpenAPI gives members without omitempty the zero value of their Go type for a default. */
function keyDefault(field: FieldNode | undefined): unknown {
  if (field === undefined) return undefined;
  if (field.defaultValue !== undefined) return field.defaultValue;
  if (field.pointer || field.omitEmpty) return undefined;
  const { scalar } = atomOf(field.type);
  return scalar === "string" ? "" : scalar === "numeric" ? 0 : scalar === "boolean" ? false : undefined;
}

/** The one thing of `atom` that `value` is; null, absent and what does not fit leave it as it is. */
export function kindOf(value: unknown, atom: Atom): "scalar" | "list" | "map" {
  if (typeof value === "object") {
    if (value !== null && Array.isArray(value)) {
      if (atom.list) return "list";
    } else if (value !== null && atom.map) return "map";
  } else if (value !== undefined && atom.scalar) return "scalar";
  return atom.map ? "map" : atom.scalar ? "scalar" : "list";
}
