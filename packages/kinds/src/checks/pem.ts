export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
  /** The text after the block. */
  readonly rest: string;
}

const block =
  /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t]*\r?\n((?:[^\n:]+:[^\n]*\n)*)\s*([A-Za-z0-9+/=\s]*?)\n?-----END \1-----[ \t]*(?:\r?\n|$)/;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The first PEM block of a text, past those that are none. What it holds is not looked into: that takes X.509, which the server has. */
export function firstPemBlock(text: string): PemBlock | undefined {
  const found = block.exec(text);
  if (!found) return undefined;
  const rest = text.slice(found.index + found[0].length);
  const content = (found[3] ?? "").replaceAll(/\s/g, "");
  if (!base64.test(content)) return firstPemBlock(rest);
  return {
    type: found[1] ?? "",
    hasHeaders: (found[2] ?? "") !== "",
    bytes: Uint8Array.from(atob(content), (char) => char.charCodeAt(0)),
    rest,
  };
}
