import { DnsError } from "./dns-error.js";

/**
 * A name is a text in presentation form (RFC 1035, section 5.1) without its last dot: `www.example.com`; the root is the empty text.
 * Inside a label a dot and a backslash are written `\.` and `\\`, bytes that are not printable `\DDD`. The case is kept.
 */

/** Octets of a name in a message, with its lengths and the root (RFC 1035, section 2.3.4). */
export const maxNameOctets = 255;
export const maxLabelOctets = 63;

/** `name` without a last dot, as it is written in files and flags. */
export const trimRoot = (name: string): string =>
  name.endsWith(".") && !isEscaped(name, name.length - 1) ? name.slice(0, -1) : name;

/** Whether the character at `at` belongs to a label, by an odd number of backslashes in front of it. */
function isEscaped(name: string, at: number): boolean {
  let backslashes = 0;
  while (name[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** The labels, still escaped, from the left. */
export function splitLabels(name: string): string[] {
  if (name === "") return [];
  if (!name.includes("\\")) return name.split(".");
  const labels: string[] = [];
  let start = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === "\\") at++;
    else if (name[at] === ".") {
      labels.push(name.slice(start, at));
      start = at + 1;
    }
  }
  labels.push(name.slice(start));
  return labels;
}

/** Whether `name` is `zone` or below it. Both in the same case. */
export function isInZone(name: string, zone: string): boolean {
  if (zone === "") return true;
  if (!name.endsWith(zone)) return false;
  const at = name.length - zone.length;
  return at === 0 || (name[at - 1] === "." && !isEscaped(name, at - 1));
}

/**
 * Throws where `name` cannot be in a message: empty labels, labels over 63 octets, more than 255 octets. An escaped octet counts as one.
 */
export function checkName(name: string): void {
  let octets = 1;
  for (const label of splitLabels(name)) {
    const length = label.includes("\\") ? label.replace(/\\(?:\d{3}|.)/gs, "x").length : label.length;
    if (length === 0 || length > maxLabelOctets) throw new DnsError(`the name ${name} has a label of ${length} octets`);
    octets += length + 1;
  }
  if (octets > maxNameOctets) throw new DnsError(`the name ${name} has ${octets} octets`);
}
