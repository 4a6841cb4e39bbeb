import { type DerElement, readChildren, readOid, readString } from "./der-read.js";
import { oid, sequence, setOf, tag, utf8String } from "./der-write.js";
import { oids } from "./object-identifiers.js";

export interface NameAttribute {
  /** Dotted, for example `2.5.4.3` for a common name. */
  readonly type: string;
  readonly value: string;
}

/** The attributes of a distinguished name, in their order. */
export interface DistinguishedName {
  /** The last one where there are several; "" where there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** All of them. Those that are no text are left out. */
  readonly attributes: readonly NameAttribute[];
}

export interface NameOptions {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  /** Further attributes, after the others. */
  readonly attributes?: readonly NameAttribute[];
}

/** The values of one attribute type, for example a user id in a type of somebody's own. */
export const attributeValues = (name: DistinguishedName, type: string): string[] =>
  name.attributes.filter((attribute) => attribute.type === type).map((attribute) => attribute.value);

export function encodeName(name: NameOptions): Buffer {
  const attribute = (type: string, value: string): Buffer => sequence(oid(type), utf8String(value));
  const organizations = (name.organizations ?? []).map((value) => attribute(oids.organization, value));
  return sequence(
    // All organizations stand in one set, as Go's library writes them.
    ...(organizations.length > 0 ? [setOf(...organizations)] : []),
    ...(name.commonName ? [setOf(attribute(oids.commonName, name.commonName))] : []),
    ...(name.attributes ?? []).map(({ type, value }) => setOf(attribute(type, value))),
  );
}

export function readName(found: DerElement): DistinguishedName {
  const attributes: NameAttribute[] = [];
  for (const relative of readChildren(found, tag.sequence)) {
    for (const pair of readChildren(relative, tag.set)) {
      const [type, value] = readChildren(pair, tag.sequence);
      const text = value && readString(value);
      if (text !== undefined) attributes.push({ type: readOid(type), value: text });
    }
  }
  const values = (type: string): string[] =>
    attributes.filter((attribute) => attribute.type === type).map((attribute) => attribute.value);
  return { commonName: values(oids.commonName).at(-1) ?? "", organizations: values(oids.organization), attributes };
}

const shortNames: Readonly<Record<string, string>> = {
  [oids.commonName]: "CN",
  [oids.organization]: "O",
  [oids.organizationalUnit]: "OU",
  [oids.country]: "C",
  [oids.locality]: "L",
  [oids.province]: "ST",
};

/** For messages: `O=system:masters,CN=kubernetes-admin`. */
export const formatName = (name: DistinguishedName): string =>
  name.attributes.map(({ type, value }) => `${shortNames[type] ?? type}=${value}`).join(",");
