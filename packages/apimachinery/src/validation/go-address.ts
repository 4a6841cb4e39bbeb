import { append } from "../append/index.js";
import { quoteGo } from "../text/go-quote.js";
import { type IpAddress, type IpNetwork } from "./ip-address.js";

/** An address as Go's net/netip reads it: strictly, and with a zone (`fe80::1%eth0`). */
export interface GoAddress extends IpAddress {
  /** Empty where there is none. */
  readonly zone: string;
}

class AddressError extends Error {}

/** The address, or Go's words for what is wrong with the text. */
export function parseGoAddress(text: string): GoAddress | string {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return `ParseAddr(${quoteGo(text)}): ${error.message}`;
  }
}

/** `10.0.0.0/8` as netip.ParsePrefix reads it, or Go's words. The bits behind the prefix are kept. */
export function parseGoPrefix(text: string): IpNetwork | string {
  const failure = (problem: string): string => `netip.ParsePrefix(${quoteGo(text)}): ${problem}`;
  const slash = text.lastIndexOf("/");
  if (slash < 0) return failure("no '/'");
  const address = parseGoAddress(text.slice(0, slash));
  if (typeof address === "string") return failure(address);
  if (address.zone !== "") return failure("IPv6 zones cannot be present in a prefix");
  const bits = text.slice(slash + 1);
  // A number beyond 64 bits is no number to Go, rather than one out of range.
  if (!/^(?:[0-9]|[1-9][0-9]*)$/.test(bits) || bits.length > 19 || BigInt(bits) >= 2n ** 63n)
    return failure(`bad bits after slash: ${quoteGo(bits)}`);
  const prefixLength = Number(bits);
  if (prefixLength > (address.isV4 ? 32 : 128)) return failure("prefix length out of range");
  return { address, prefixLength, strict: true };
}

function fail(problem: string, at?: string): never {
  throw new AddressError(at === undefined || at === "" ? problem : `${problem} (at ${quoteGo(at)})`);
}

const v4Prefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function parse(text: string): GoAddress {
  switch (/[.:%]/.exec(text)?.[0]) {
    case ".":
      return {
        bytes: Uint8Array.from([...v4Prefix, ...parseOctets(text)]),
        isV4: true,
        isV4InV6: false,
        strict: true,
        zone: "",
      };
    case ":":
      return parseV6(text);
    case "%":
      return fail("missing IPv6 address");
    default:
      return fail("unable to parse IP");
  }
}

function parseOctets(text: string): number[] {
  const octets: number[] = [];
  let digits = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char >= "0" && char <= "9") {
      if (digits === "0") fail("IPv4 field has octet with leading zero");
      digits += char;
      if (Number(digits) > 255) fail("IPv4 field has value >255");
    } else if (char !== ".") {
      fail("unexpected character", text.slice(at));
    } else {
      if (digits === "" || at === text.length - 1) fail("IPv4 field must have at least one digit", text.slice(at));
      if (octets.length === 3) fail("IPv4 address too long");
      octets.push(Number(digits));
      digits = "";
    }
  }
  if (octets.length < 3) fail("IPv4 address too short");
  return [...octets, Number(digits)];
}

function parseV6(text: string): GoAddress {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") fail("zone must be a non-empty string");
  const bytes = Uint8Array.from(parseGroups(percent < 0 ? text : text.slice(0, percent)));
  return { bytes, isV4: false, isV4InV6: v4Prefix.every((byte, i) => bytes[i] === byte), strict: true, zone };
}

/** The sixteen bytes of groups between colons, of which one may be left empty for zeros. */
function parseGroups(text: string): number[] {
  const bytes: number[] = [];
  let ellipsis = -1;
  let rest = text;
  if (rest.startsWith("::")) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === "") return Array.from({ length: 16 }, () => 0);
  }
  while (bytes.length < 16) {
    const [digits] = /^[0-9a-fA-F]{0,5}/.exec(rest) ?? [""];
    if (digits.length > 4) fail("each group must have 4 or less digits", rest);
    if (digits === "") fail("each colon-separated field must have at least one digit", rest);
    if (rest[digits.length] === ".") {
      if (ellipsis < 0 && bytes.length !== 12)
        fail("embedded IPv4 address must replace the final 2 fields of the address", rest);
      if (bytes.length > 12) fail("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      append(bytes, parseOctets(rest));
      rest = "";
      break;
    }
    const value = Number.parseInt(digits, 16);
    bytes.push(value >> 8, value & 0xff);
    rest = rest.slice(digits.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) fail("unexpected character, want colon", rest);
    if (rest.length === 1) fail("colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (ellipsis >= 0) fail("multiple :: in address", rest);
    ellipsis = bytes.length;
    rest = rest.slice(1);
    if (rest === "") break;
  }
  if (rest !== "") fail("trailing garbage after address", rest);
  return expand(bytes, ellipsis);
}

function expand(bytes: readonly number[], ellipsis: number): number[] {
  const missing = 16 - bytes.length;
  if (ellipsis < 0 && missing > 0) fail("address string too short");
  if (ellipsis < 0) return [...bytes];
  if (missing === 0) fail("the :: must expand to at least one field of zeros");
  return [...bytes.slice(0, ellipsis), ...Array.from({ length: missing }, () => 0), ...bytes.slice(ellipsis)];
}
