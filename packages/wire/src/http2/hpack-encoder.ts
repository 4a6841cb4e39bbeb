import type { Header } from "./header.js";
import { staticTable } from "./hpack-tables.js";

const indexOfField = new Map(staticTable.map(([name, value], index) => [`${name}\n${value}`, index + 1]));
export const indexOfName = new Map(
  [...staticTable].reverse().map(([name], index) => [name, staticTable.length - index]),
);

/** HPACK without the dynamic table: blocks are stateless, so they can be encoded once, reused and concatenated. */
export function encodeHeaders(headers: Iterable<Header>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of headers) {
    const indexed = indexOfField.get(`${name}\n${value}`);
    if (indexed !== undefined) {
      parts.push(integer(indexed, 7, 0x80));
      continue;
    }
    const known = indexOfName.get(name);
    parts.push(integer(known ?? 0, 4, 0));
    if (known === undefined) parts.push(string(name));
    parts.push(string(value));
  }
  return Buffer.concat(parts);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([integer(bytes.length, 7, 0), bytes]);
}

function integer(value: number, prefixBits: number, flags: number): Buffer {
  const max = (1 << prefixBits) - 1;
  if (value < max) return Buffer.of(flags | value);
  const bytes = [flags | max];
  let rest = value - max;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
