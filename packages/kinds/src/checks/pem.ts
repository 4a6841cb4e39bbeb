export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  /** The text after the block. */
  readonly rest: string;
}

const block = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t]*\r?\n((?:[^\n:]+:[^\n]*\n)*)\s*([A-Za-z0-9+/=\s]*?)\n?-----END \1-----[ \t]*(?:\r?\n|$)/;

/** The first PEM block of a text. What it holds is not looked into: that takes X.509, which the server has. */
export function firstPemBlock(text: string): PemBlock | undefined {
  const found = block.exec(text);
  if (!found) return undefined;
  return { type: found[1] ?? "", hasHeaders: (found[2] ?? "") !== "", rest: text.slice(found.index + found[0].length) };
}
