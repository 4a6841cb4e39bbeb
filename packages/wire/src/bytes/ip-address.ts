/**
 * The 4 or 16 bytes of an address; undefined when `text` is none. A zone (`%eth0`) is not part of a certificate.
 * Read by hand: compiling the expression by which Node knows addresses takes a starting server longer than a certificate does.
 */
export function addressBytes(text: string): Buffer | undefined {
  if (!text.includes(":")) return dottedBytes(text);
  const tailAt = text.lastIndexOf(":") + 1;
  const tail = text.includes(".") ? dottedBytes(text.slice(tailAt)) : undefined;
  if (!tail && text.includes(".")) return undefined;
  const [head = "", rest, more] = (tail ? `${text.slice(0, tailAt)}${hex(tail)}` : text).split("::");
  const before = words(head);
  const after = words(rest ?? "");
  if (!before || !after || more !== undefined) return undefined;
  const zeros = 8 - before.length - after.length;
  if (rest === undefined ? zeros !== 0 : zeros < 1) return undefined;
  return Buffer.from(
    [...before, ...Array.from({ length: zeros }, () => 0), ...after].flatMap((word) => [word >> 8, word & 0xff]),
  );
}

/** By hand: a DNS server does this for every address that it answers with. */
function dottedBytes(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(4);
  let part = 0;
  let value = -1;
  for (let at = 0; at <= text.length; at++) {
    const digit = at === text.length ? -1 : text.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      // Leading zeros are refused: some read them as octal.
      value = value === 0 ? 256 : Math.max(value, 0) * 10 + digit;
      if (value > 255) return undefined;
      continue;
    }
    if (value < 0 || part > 3 || (digit !== -2 && at < text.length)) return undefined;
    bytes[part++] = value;
    value = -1;
  }
  return part === 4 ? bytes : undefined;
}

/** The groups between colons; undefined when one of them is no number of 16 bits. */
function words(half: string): number[] | undefined {
  const groups = half === "" ? [] : half.split(":");
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}

const hex = (four: Buffer): string => `${four.readUInt16BE(0).toString(16)}:${four.readUInt16BE(2).toString(16)}`;

/** In the shortest form of RFC 5952: the longest run of zero groups becomes `::`. */
export function formatAddress(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return undefined;
  const words = Array.from({ length: 8 }, (_, index) => (bytes[index * 2]! << 8) | bytes[index * 2 + 1]!);
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let end = start;
    while (end < 8 && words[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const text = (part: number[]): string => part.map((word) => word.toString(16)).join(":");
  if (best.length === 1) return text(words);
  return `${text(words.slice(0, best.start))}::${text(words.slice(best.start + best.length))}`;
}
