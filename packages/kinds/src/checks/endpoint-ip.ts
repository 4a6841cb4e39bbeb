import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { type IpAddress, parseIp } from "@coxswain/apimachinery/validation";

/** An address to which traffic may be sent: not the machine itself, nor its neighbours on the link. */
export function checkEndpointIp(text: string, path: FieldPath): FieldError[] {
  const ip = parseIp(text);
  if (!ip) return [invalid(path, text, "must be a valid IP address")];
  const is = rangesOf(ip);
  const problems = [
    is.unspecified && `may not be unspecified (${text})`,
    is.loopback && "may not be in the loopback range (127.0.0.0/8, ::1/128)",
    is.linkLocal && "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
    is.linkLocalMulticast && "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  ];
  return problems.filter((problem) => problem !== false).map((problem) => invalid(path, text, problem));
}

function rangesOf({ bytes, isV4, isV4InV6 }: IpAddress): {
  unspecified: boolean;
  loopback: boolean;
  linkLocal: boolean;
  linkLocalMulticast: boolean;
} {
  if (isV4 || isV4InV6) {
    const [a, b, c, d] = bytes.subarray(12);
    return {
      unspecified: a === 0 && b === 0 && c === 0 && d === 0,
      loopback: a === 127,
      linkLocal: a === 169 && b === 254,
      linkLocalMulticast: a === 224 && b === 0 && c === 0,
    };
  }
  const [a = 0, b = 0] = bytes;
  const allZero = bytes.subarray(0, 15).every((byte) => byte === 0);
  const last = bytes[15];
  return {
    unspecified: allZero && last === 0,
    loopback: allZero && last === 1,
    linkLocal: a === 0xfe && (b & 0xc0) === 0x80,
    linkLocalMulticast: a === 0xff && (b & 0x0f) === 0x02,
  };
}
