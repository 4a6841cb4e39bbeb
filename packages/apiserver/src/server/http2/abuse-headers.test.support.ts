/** RFC 7541, appendix A, from index 1 on. */
const staticFields =
  ":authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204|:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate".split(
    "|",
  );

/** RFC 7541, appendix B: how many bits each byte's code has, as digits in base 36; the code is canonical. */
const codeLengths =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";

const symbols = new Map<string, number>();
{
  const lengths = [...codeLengths].map((digit) => Number.parseInt(digit, 36));
  const order = lengths.map((_, symbol) => symbol).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  let code = 0;
  let length = 0;
  for (const symbol of order) {
    code *= 2 ** ((lengths[symbol] ?? 0) - length);
    length = lengths[symbol] ?? 0;
    symbols.set(code.toString(2).padStart(length, "0"), symbol);
    code += 1;
  }
}

function decodeHuffman(bytes: Uint8Array): string {
  let text = "";
  let code = "";
  for (const bit of [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")) {
    code += bit;
    const symbol = symbols.get(code);
    if (symbol === undefined) continue;
    text += String.fromCharCode(symbol);
    code = "";
  }
  return text;
}

/** Reads a header block of a server whose HPACK table was set to size 0 (SETTINGS_HEADER_TABLE_SIZE); throws if it used one. */
export function decodeHeaders(block: Uint8Array): Record<string, string> {
  const headers: Record<string, string> = {};
  let at = 0;
  const integer = (bits: number): number => {
    const most = 2 ** bits - 1;
    let value = (block[at++] ?? 0) & most;
    if (value < most) return value;
    for (let factor = 1; ; factor *= 128) {
      const byte = block[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const string = (): string => {
    const isCoded = (block[at] ?? 0) >= 0x80;
    const length = integer(7);
    const bytes = block.subarray(at, (at += length));
    return isCoded ? decodeHuffman(bytes) : Buffer.from(bytes).toString("latin1");
  };
  const field = (index: number): [name: string, value: string] => {
    const [name, value = ""] = (staticFields[index - 1] ?? fail(`no header has the index ${index}`)).split("=");
    return [name ?? "", value];
  };
  while (at < block.length) {
    const first = block[at] ?? 0;
    if (first >= 0x80) add(headers, field(integer(7)));
    else if (first >= 0x20 && first < 0x40) integer(5);
    else {
      const index = integer(first >= 0x40 ? 6 : 4);
      const name = index === 0 ? string() : field(index)[0];
      add(headers, [name, string()]);
    }
  }
  return headers;
}

const add = (headers: Record<string, string>, [name, value]: [string, string]): void =>
  void (headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`);
const fail = (why: string): never => {
  throw new Error(why);
};
