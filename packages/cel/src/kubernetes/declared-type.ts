import {
  boolType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  type Type,
} from "../types/type.js";

/** The type of data that a schema describes, with the bounds that cost estimates go by. */
export interface DeclaredType {
  readonly type: Type;
  /** Fields of an object, by their escaped names. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** Keys of a map. */
  readonly key?: DeclaredType;
  /** Elements of a list or map. */
  readonly element?: DeclaredType;
  /** The most elements, entries or bytes that a request can hold; 0 for scalars. */
  readonly maxElements: number;
  /** The least bytes of it as JSON. */
  readonly minSize: number;
}

/** Bytes of the shortest JSON: `""`, `true`, `0`. */
const minStringSize = 2;
const minBoolSize = 4;
const minNumberSize = 1;

export const simpleDeclared = (type: Type, minSize: number, maxElements = 0): DeclaredType => ({
  type,
  minSize,
  maxElements,
});

export const declaredBool = simpleDeclared(boolType, minBoolSize);
export const declaredDouble = simpleDeclared(doubleType, minNumberSize);
export const declaredInt = simpleDeclared(intType, minNumberSize);
export const declaredDyn = simpleDeclared(dynType, 1);
export const declaredString = (maxElements = 0): DeclaredType => simpleDeclared(stringType, minStringSize, maxElements);

export const declaredList = (element: DeclaredType, maxElements: number): DeclaredType => ({
  type: listType(element.type),
  element,
  maxElements,
  minSize: 2,
});

export const declaredMap = (element: DeclaredType, maxElements: number): DeclaredType => ({
  type: mapType(stringType, element.type),
  key: declaredString(),
  element,
  maxElements,
  minSize: 2,
});

/** What an object is called until it has a name of its own. */
const unnamed = "object";

export const declaredObject = (fields: ReadonlyMap<string, DeclaredType>, minSize = 2): DeclaredType => ({
  type: objectType(unnamed),
  fields,
  maxElements: 0,
  minSize,
});

/** An object with a name of its own, which nameTypes leaves as it is. */
export const declaredNamed = (name: string, fields: Readonly<Record<string, DeclaredType>>): DeclaredType => ({
  ...declaredObject(new Map(Object.entries(fields))),
  type: objectType(name),
});

/** The same with a name for every object in it: `name.field`, `name.@idx` for elements of lists, `name.@elem` of maps. */
export function nameTypes(declared: DeclaredType, name: string): DeclaredType {
  const { fields, key, element } = declared;
  if (fields !== undefined) {
    const own = declared.type.name === unnamed ? name : declared.type.name;
    const named = new Map([...fields].map(([field, type]) => [field, nameTypes(type, `${own}.${field}`)]));
    return { ...declared, type: objectType(own), fields: named };
  }
  if (element === undefined) return declared;
  const named = nameTypes(element, `${name}.${key === undefined ? "@idx" : "@elem"}`);
  if (named === element) return declared;
  return key === undefined ? declaredList(named, declared.maxElements) : declaredMap(named, declared.maxElements);
}
