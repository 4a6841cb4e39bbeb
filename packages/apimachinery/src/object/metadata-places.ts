import { isName, skipString, skipValue } from "../json/skip.js";

/** Where things stand in the bytes of an object in canonical form (compact, members in order). Ends are exclusive; -1: not there. */
export interface MetadataPlaces {
  /** Behind `{"kind":…,"apiVersion":…,`: a list of a built-in kind leaves this head out of its items. 1 if there is none. */
  readonly headEnd: number;
  /** The metadata object with its braces. */
  readonly metadataStart: number;
  readonly metadataEnd: number;
  /** The letters of resourceVersion between its quotes. If it is not there, both are the place to insert the member at. */
  readonly resourceVersionStart: number;
  readonly resourceVersionEnd: number;
  readonly hasResourceVersion: boolean;
  /** The managedFields member with the comma that goes when it goes. */
  readonly managedFieldsStart: number;
  readonly managedFieldsEnd: number;
}

/**
 * Finds the metadata of an encoded object by its structure, so a string that contains the same words is no danger. Reads nothing behind the metadata.
 * undefined: the bytes are no object, or have no metadata object.
 */
export function locateMetadata(bytes: Uint8Array): MetadataPlaces | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  let headEnd = 1;
  let inHead = true;
  const builtIn = !isName(bytes, 1, "apiVersion"); // a custom resource begins with it, a built-in kind with its kind or without a head
  for (let at = 1; bytes[at] === 0x22; at++) {
    const value = skipString(bytes, at) + 1;
    if (isName(bytes, at, "metadata"))
      return bytes[value] === 0x7b ? locateMembers(bytes, { headEnd, metadataStart: value, builtIn }) : undefined;
    inHead &&= isName(bytes, at, "kind") || isName(bytes, at, "apiVersion");
    at = skipValue(bytes, value);
    if (bytes[at] !== 0x2c) return undefined;
    if (inHead) headEnd = at + 1;
  }
  return undefined;
}

/** The same of bytes that are one. @throws Error when they are not */
export function placesOf(bytes: Uint8Array): MetadataPlaces {
  const places = locateMetadata(bytes);
  if (!places) throw new Error("these bytes are no encoded object with metadata");
  return places;
}

function locateMembers(
  bytes: Uint8Array,
  found: { headEnd: number; metadataStart: number; builtIn: boolean },
): MetadataPlaces | undefined {
  const { headEnd, metadataStart, builtIn } = found;
  let versionStart = -1;
  let versionEnd = -1;
  let insertAt = metadataStart + 1;
  let inserting = true;
  let managedStart = -1;
  let managedEnd = -1;
  let at = metadataStart + 1;
  while (bytes[at] === 0x22) {
    const name = at;
    const value = skipString(bytes, name) + 1;
    at = skipValue(bytes, value);
    if (isName(bytes, name, "resourceVersion")) {
      versionStart = value + 1;
      versionEnd = at - 1;
    } else if (isName(bytes, name, "managedFields")) {
      const first = name === metadataStart + 1;
      managedStart = first ? name : name - 1;
      managedEnd = first && bytes[at] === 0x2c ? at + 1 : at;
    }
    inserting &&= builtIn
      ? isBefore(bytes, name)
      : (bytes[name + 1] as number) < 0x72 || isName(bytes, name, "resourceVersion");
    if (inserting) insertAt = at;
    if (bytes[at] !== 0x2c) break;
    at++;
  }
  if (bytes[at] !== 0x7d) return undefined;
  const hasResourceVersion = versionStart >= 0;
  return {
    headEnd,
    metadataStart,
    metadataEnd: at + 1,
    resourceVersionStart: hasResourceVersion ? versionStart : insertAt,
    resourceVersionEnd: hasResourceVersion ? versionEnd : insertAt,
    hasResourceVersion,
    managedFieldsStart: managedStart,
    managedFieldsEnd: managedEnd,
  };
}

/** Members of a built-in kind's metadata that stand before resourceVersion. Custom resources have them in order of their names instead. */
function isBefore(bytes: Uint8Array, name: number): boolean {
  switch (bytes[name + 1]) {
    case 0x6e:
      return isName(bytes, name, "name") || isName(bytes, name, "namespace");
    case 0x67:
      return isName(bytes, name, "generateName");
    case 0x73:
      return isName(bytes, name, "selfLink");
    case 0x75:
      return isName(bytes, name, "uid");
    default:
      return false;
  }
}
