import { type FieldError, type FieldPath, invalid, quoteGo, withOrigin } from "../field/index.js";
import {
  formatCidr,
  formatIp,
  formatIpAsWritten,
  type IpAddress,
  type IpNetwork,
  maskedAddress,
  parseCidr,
  parseIp,
  sameAddress,
} from "./ip-address.js";

type Path = FieldPath | undefined;

export interface LegacyAddressOptions {
  /** False only where the feature gate StrictIPCIDRValidation is off. @default true */
  readonly strict?: boolean;
  /** Values of the old object, which stay allowed. */
  readonly validOld?: readonly string[];
}

function readIp(value: string, path: Path, strict: boolean): { ip?: IpAddress; errors: FieldError[] } {
  const ip = parseIp(value);
  if (ip === undefined)
    return { errors: [invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")] };
  const errors: FieldError[] = [];
  if (strict && !ip.strict) errors.push(invalid(path, value, "must not have leading 0s"));
  else if (strict && ip.isV4InV6) errors.push(invalid(path, value, "must not be an IPv4-mapped IPv6 address"));
  return { ip, errors };
}

/** An address in a field older than strict rules: other forms than the canonical one are allowed. */
export function validateIpForLegacyField(
  value: string,
  path: Path,
  { strict = true, validOld = [] }: LegacyAddressOptions = {},
): FieldError[] {
  return validOld.includes(value) ? [] : withOrigin(readIp(value, path, strict).errors, "format=ip-sloppy");
}

/** An address in canonical form. */
export function validateIp(value: string, path: Path): FieldError[] {
  const { ip, errors } = readIp(value, path, true);
  if (ip !== undefined && errors.length === 0 && formatIp(ip) !== value) {
    errors.push(invalid(path, value, `must be in canonical form (${quoteGo(formatIp(ip))})`));
  }
  return withOrigin(errors, "format=ip-strict");
}

/** Warnings for an address that `validateIpForLegacyField` lets through. */
export function ipWarnings(value: string, path: Path): string[] {
  const ip = parseIp(value);
  if (ip === undefined) return [];
  if (!ip.strict || ip.isV4InV6)
    return [`${path}: non-standard IP address ${quoteGo(value)} is invalid: use ${quoteGo(formatIp(ip))}`];
  if (ip.isV4 || formatIpAsWritten(ip) === value) return [];
  return [
    `${path}: IPv6 address ${quoteGo(value)} should be in RFC 5952 canonical format (${quoteGo(formatIpAsWritten(ip))})`,
  ];
}

function readCidr(value: string, path: Path, strict: boolean): { network?: IpNetwork; errors: FieldError[] } {
  const network = parseCidr(value);
  if (network === undefined)
    return { errors: [invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")] };
  const problem = strict ? cidrProblem(network) : undefined;
  return { network, errors: problem === undefined ? [] : [invalid(path, value, problem)] };
}

function cidrProblem(network: IpNetwork): string | undefined {
  if (!network.strict) return "must not have leading 0s in IP or prefix length";
  if (network.address.isV4InV6) return "must not have an IPv4-mapped IPv6 address";
  return sameAddress(network.address, maskedAddress(network))
    ? undefined
    : "must not have bits set beyond the prefix length";
}

export function validateCidrForLegacyField(
  value: string,
  path: Path,
  { strict = true, validOld = [] }: LegacyAddressOptions = {},
): FieldError[] {
  return validOld.includes(value) ? [] : readCidr(value, path, strict).errors;
}

/** A network in canonical form: `192.168.1.0/24`. */
export function validateCidr(value: string, path: Path): FieldError[] {
  const { network, errors } = readCidr(value, path, true);
  if (network === undefined || errors.length > 0 || formatCidr(network) === value) return errors;
  return [invalid(path, value, `must be in canonical form (${quoteGo(formatCidr(network))})`)];
}

/** Warnings for a network that `validateCidrForLegacyField` lets through. */
export function cidrWarnings(value: string, path: Path): string[] {
  const network = parseCidr(value);
  if (network === undefined) return [];
  const warnings: string[] = [];
  const { address } = network;
  if (!sameAddress(address, maskedAddress(network))) {
    const alone = `${formatIp(address)}/${address.isV4 ? 32 : 128}`;
    warnings.push(
      `${path}: CIDR value ${quoteGo(value)} is ambiguous in this context (should be ${quoteGo(formatCidr(network))} or ${quoteGo(alone)}?)`,
    );
  }
  if (!network.strict || address.isV4InV6) {
    warnings.push(`${path}: non-standard CIDR value ${quoteGo(value)} is invalid: use ${quoteGo(formatCidr(network))}`);
  }
  const canonical = `${formatIpAsWritten(address)}/${network.prefixLength}`;
  if (warnings.length === 0 && !address.isV4 && canonical !== value) {
    warnings.push(
      `${path}: IPv6 CIDR value ${quoteGo(value)} should be in RFC 5952 canonical format (${quoteGo(canonical)})`,
    );
  }
  return warnings;
}

/** An address with its network's length, canonical: `192.168.1.5/24`. */
export function validateInterfaceAddress(value: string, path: Path): FieldError[] {
  const network = parseCidr(value);
  if (network === undefined)
    return [invalid(path, value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")];
  const { address, prefixLength } = network;
  const canonical = `${formatIp(address)}/${address.isV4InV6 && prefixLength > 32 ? prefixLength - 96 : prefixLength}`;
  return canonical === value ? [] : [invalid(path, value, `must be in canonical form (${quoteGo(canonical)})`)];
}
