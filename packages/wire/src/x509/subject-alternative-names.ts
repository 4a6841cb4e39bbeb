import { addressBytes, formatAddress } from "../bytes/ip-address.js";
import { type DerElement, readChildren } from "./der-read.js";
import { implicit, sequence, tag } from "./der-write.js";

export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

export const noAlternativeNames: AlternativeNames = { dnsNames: [], ipAddresses: [], emailAddresses: [], uris: [] };

export const hasNames = (names: AlternativeNames): boolean =>
  Object.values(names).some((values: readonly string[]) => values.length > 0);

const email = 1;
const uri = 6;
/** Tags of GeneralName (RFC 5280, 4.2.1.6). */
export const dnsName = 2;
export const ipName = 7;

/** Sorts hosts given by a user into DNS names and addresses. */
export function namesOfHosts(hosts: readonly string[]): AlternativeNames {
  const ipAddresses = hosts.filter((host) => addressBytes(host) !== undefined);
  return { ...noAlternativeNames, dnsNames: hosts.filter((host) => !ipAddresses.includes(host)), ipAddresses };
}

/** @throws RangeError for an address that is none */
export function encodeAlternativeNames(names: AlternativeNames): Buffer {
  const text = (kind: number, values: readonly string[]): Buffer[] =>
    values.map((value) => implicit(kind, Buffer.from(value, "latin1")));
  const addresses = names.ipAddresses.map((address) => {
    const bytes = addressBytes(address);
    if (!bytes) throw new RangeError(`${JSON.stringify(address)} is not an IP address`);
    return implicit(ipName, bytes);
  });
  return sequence(
    ...text(dnsName, names.dnsNames),
    ...text(email, names.emailAddresses),
    ...addresses,
    ...text(uri, names.uris),
  );
}

/** Kinds of name that are not among the four are left out. */
export function readAlternativeNames(found: DerElement): AlternativeNames {
  const entries = readChildren(found, tag.sequence);
  const text = (kind: number): string[] =>
    entries.filter((entry) => entry.tag === (0x80 | kind)).map((entry) => entry.content.toString("latin1"));
  const addresses = entries
    .filter((entry) => entry.tag === (0x80 | ipName))
    .map((entry) => formatAddress(entry.content));
  return {
    dnsNames: text(dnsName),
    emailAddresses: text(email),
    uris: text(uri),
    ipAddresses: addresses.filter((address) => address !== undefined),
  };
}
