import { quoteGo } from "@coxswain/apimachinery/text";
import { formatIpAsWritten, type IpAddress, parseGoAddress, sameAddress } from "@coxswain/apimachinery/validation";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, intType, opaqueType, stringType, type Type } from "../types/type.js";
import { CelError, OpaqueValue, type Value } from "../values/value.js";
import { readsText } from "./text-costs.js";

export const ipType = opaqueType("net.IP");

export class IpValue extends OpaqueValue {
  readonly type = ipType;
  readonly address: IpAddress;
  /** Bytes. */
  override readonly size: number;
  constructor(address: IpAddress) {
    super();
    this.address = address;
    this.size = address.isV4 ? 4 : 16;
  }
  override canEqual(other: Value): boolean {
    return other instanceof IpValue;
  }
  equals(other: Value): boolean {
    return (
      other instanceof IpValue && other.address.isV4 === this.address.isV4 && sameAddress(other.address, this.address)
    );
  }
  toString(): string {
    return formatIpAsWritten(this.address);
  }
}

/** Neither zones nor IPv4 addresses in IPv6's form are allowed. */
export function toIp(text: string): IpValue | CelError {
  const address = parseGoAddress(text);
  if (typeof address === "string")
    return new CelError(`IP Address ${quoteGo(text)} parse error during conversion from string: ${address}`);
  if (address.zone !== "") return new CelError(`IP address ${quoteGo(text)} with zone value is not allowed`);
  if (address.isV4InV6) return new CelError(`IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`);
  return new IpValue(address);
}

function isCanonical(text: string): Value {
  const ip = toIp(text);
  return ip instanceof CelError ? ip : ip.toString() === text;
}

/** The bytes as they are on the wire: four or sixteen. */
const wireBytes = ({ bytes, isV4 }: IpAddress): Uint8Array => (isV4 ? bytes.subarray(12) : bytes);

const startsWith = (address: IpAddress, ...start: number[]): boolean => {
  const bytes = wireBytes(address);
  return start.every((byte, index) => bytes[index] === byte);
};

const isUnspecified = (address: IpAddress): boolean => wireBytes(address).every((byte) => byte === 0);

const isLoopback = (address: IpAddress): boolean =>
  address.isV4 ? startsWith(address, 127) : address.bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));

const isMulticast = (address: IpAddress): boolean =>
  address.isV4 ? ((address.bytes[12] as number) & 0xf0) === 0xe0 : startsWith(address, 0xff);

/** Of IPv6, whatever the flags of the address. */
const isLinkLocalMulticast = (address: IpAddress): boolean =>
  address.isV4
    ? startsWith(address, 224, 0, 0)
    : startsWith(address, 0xff) && ((address.bytes[1] as number) & 0x0f) === 0x02;

const isLinkLocalUnicast = (address: IpAddress): boolean =>
  address.isV4
    ? startsWith(address, 169, 254)
    : startsWith(address, 0xfe) && ((address.bytes[1] as number) & 0xc0) === 0x80;

const isGlobalUnicast = (address: IpAddress): boolean =>
  !isUnspecified(address) &&
  !(address.isV4 && startsWith(address, 255, 255, 255, 255)) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address);

const parsing = (name: string, id: string, result: Type, parse: (text: string) => Value): FunctionDeclaration => ({
  name,
  overloads: [
    {
      id,
      args: [stringType],
      result,
      implementation: (text) => parse(text as string),
      // A canonical form is read, and compared with what was written.
      ...readsText(name === "ip.isCanonical" ? 2 : 1),
    },
  ],
});

const predicate = (name: string, id: string, holds: (address: IpAddress) => boolean): FunctionDeclaration => ({
  name,
  overloads: [
    {
      id,
      args: [ipType],
      result: boolType,
      isMember: true,
      implementation: (ip) => holds((ip as IpValue).address),
    },
  ],
});

/** IP addresses; since 1.30. */
export const ipLibrary: Library = {
  name: "kubernetes.net.ip",
  types: [ipType],
  functions: [
    parsing("ip", "string_to_ip", ipType, toIp),
    parsing("isIP", "is_ip", boolType, (text) => toIp(text) instanceof IpValue),
    parsing("ip.isCanonical", "ip_is_canonical", boolType, isCanonical),
    {
      name: "family",
      overloads: [
        {
          id: "ip_family",
          args: [ipType],
          result: intType,
          isMember: true,
          implementation: (ip) => ((ip as IpValue).address.isV4 ? 4 : 6),
        },
      ],
    },
    predicate("isUnspecified", "ip_is_unspecified", isUnspecified),
    predicate("isLoopback", "ip_is_loopback", isLoopback),
    predicate("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
    predicate("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
    predicate("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
    {
      name: "string",
      overloads: [{ id: "ip_to_string", args: [ipType], result: stringType, implementation: (ip) => String(ip) }],
    },
  ],
};
