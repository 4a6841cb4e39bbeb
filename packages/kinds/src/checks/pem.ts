export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
  /** The text after the block. */
  readonly rest: string;
}

const begin = "-----BEGIN ";
const end = "\n-----END ";
const dashes = "-----";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The first PEM block of a text, past those that are none, as Go's encoding/pem reads it: a block is the last BEGIN line before an END
 * line of the same type. Each END line is looked at once, so this takes time linear in the text. What a block holds is not looked into:
 * that takes X.509, which the server has.
 */
export function firstPemBlock(text: string): PemBlock | undefined {
  for (let from = 0; ; ) {
    const endAt = text.indexOf(end, from);
    if (endAt < 0) return undefined;
    const beginAt = from + text.slice(from, endAt).lastIndexOf(begin); // not behind `from`, which would be quadratic
    if (beginAt >= from && (beginAt === from || text[beginAt - 1] === "\n")) {
      const block = blockBetween(text, beginAt, endAt);
      if (block) return block;
    }
    from = endAt + end.length;
  }
}

/** The block whose BEGIN line starts at `beginAt` and whose END line starts behind the newline at `endAt`. */
function blockBetween(text: string, beginAt: number, endAt: number): PemBlock | undefined {
  const typeLine = lineAt(text, beginAt + begin.length);
  if (!typeLine.text.endsWith(dashes)) return undefined;
  const type = typeLine.text.slice(0, -dashes.length);
  let contentAt = typeLine.next;
  for (let line = lineAt(text, contentAt); line.text.includes(":"); line = lineAt(text, contentAt)) {
    contentAt = line.next;
    // Between headers and the END line there is at least a newline.
    if (contentAt > endAt) return undefined;
  }
  const trailer = `${type}${dashes}`;
  const trailerAt = endAt + end.length;
  if (!text.startsWith(trailer, trailerAt)) return undefined;
  const endLine = lineAt(text, trailerAt + trailer.length);
  if (endLine.text !== "") return undefined;
  const content = text.slice(contentAt, Math.max(contentAt, endAt)).replaceAll(/[ \t\r\n]/g, "");
  if (!base64.test(content)) return undefined;
  return {
    type,
    hasHeaders: contentAt > typeLine.next,
    bytes: Uint8Array.from(atob(content), (char) => char.charCodeAt(0)),
    rest: text.slice(endLine.next),
  };
}

/** A line without what ends it and without blanks before that, and where the next one begins. */
function lineAt(text: string, at: number): { text: string; next: number } {
  const newline = text.indexOf("\n", at);
  const next = newline < 0 ? text.length : newline + 1;
  let stop = newline < 0 ? text.length : newline > at && text[newline - 1] === "\r" ? newline - 1 : newline;
  while (stop > at && (text[stop - 1] === " " || text[stop - 1] === "\t")) stop--;
  return { text: text.slice(at, stop), next };
}
