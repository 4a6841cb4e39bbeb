import type { Header } from "./header.js";
import { staticTable } from "./hpack-tables.js";

const indexOfField = new Map(staticTable.map(([name, value], index) => [`${name}\n${value}`, index + 1]));
export const indexOfName = new Map(
  [...staticTable].reverse().map(([name], index) => [name, staticTable.length - index]),
);

/**
 * Headers that refer to nothing but the static table. So blocks have no memory: they can be made once and used again, and
 * put together from parts.
 */
export function encodeHeaders(headers: Iterable<Header>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of headers) {
    const whole = indexOfField.get(`${name}\n${value}`);
    if (whole !== undefined) {
      parts.push(integer(whole, 7, 0x80));
      continue;
    }
    const known = indexOfName.get(name);
    parts.push(integer(known ?? 0, 4, 0), ...(known === undefined ? [string(name)] : []), string(value));
  }
  return Buffer.concat(parts);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([integer(bytes.length, 7, 0), bytes]);
}

function integer(value: number, prefixBits: number, flags: number): Buffer {
  const most = (1 << prefixBits) - 1;
  if (value < most) return Buffer.of(flags | value);
  const bytes = [flags | most];
  let rest = value - most;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
