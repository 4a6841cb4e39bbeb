/** The header of one member of a tar archive: POSIX ustar, with the long names of GNU tar and pax. */
export interface TarHeader {
  readonly name: string;
  readonly mode: number;
  /** Of the content, in bytes. */
  readonly size: number;
  /** "0" a file, "5" a directory, "2" a symbolic link, "L" and "x" headers with more about the next member. */
  readonly type: string;
}

export const blockBytes = 512;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Fields of a header: where they begin and how long they are. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

const fieldOf = (block: Uint8Array, name: keyof typeof fields): string => {
  const [at, length] = fields[name];
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
};

/** Octal digits; undefined: something else. */
function octal(text: string): number | undefined {
  const digits = text.trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

/** The checksum is that of the block with blanks in its place. */
function checksumOf(block: Uint8Array): number {
  const [at, length] = fields.checksum;
  let sum = 0;
  for (const [i, byte] of block.entries()) sum += i >= at && i < at + length ? 0x20 : byte;
  return sum;
}

/** Undefined: the archive ends here. @throws Error where the block is no header */
export function readTarHeader(block: Uint8Array): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const size = octal(fieldOf(block, "size"));
  if (size === undefined || octal(fieldOf(block, "checksum")) !== checksumOf(block))
    throw new Error("invalid tar header checksum");
  const prefix = fieldOf(block, "magic").startsWith("ustar") ? fieldOf(block, "prefix") : "";
  const name = fieldOf(block, "name");
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    mode: octal(fieldOf(block, "mode")) ?? 0o644,
    size,
    type: fieldOf(block, "type") || "0",
  };
}

/** The blocks in front of a member's content. A name that is too long for a header goes before it, as GNU tar does it. */
export function writeTarHeader(header: TarHeader & { readonly modifiedAt: number }): Uint8Array {
  const name = encoder.encode(header.name);
  if (name.length <= fields.name[1]) return headerBlock(header, name);
  const long = headerBlock({ ...header, type: "L", size: name.length + 1 }, encoder.encode("././@LongLink"));
  return Buffer.concat([
    long,
    name,
    new Uint8Array(1),
    padding(name.length + 1),
    headerBlock(header, name.subarray(0, 100)),
  ]);
}

function headerBlock(
  { mode, size, type, modifiedAt }: TarHeader & { readonly modifiedAt: number },
  name: Uint8Array,
): Uint8Array {
  const block = new Uint8Array(blockBytes);
  const put = (at: number, text: string): void => void block.set(encoder.encode(text), at);
  const number = (at: number, value: number, digits: number): void =>
    put(at, `${value.toString(8).padStart(digits, "0")}\0`);
  block.set(name, 0);
  number(100, mode & 0o7777, 7);
  number(108, 0, 7);
  number(116, 0, 7);
  number(124, size, 11);
  number(136, Math.floor(modifiedAt / 1000), 11);
  put(156, type);
  put(257, "ustar\x0000");
  put(265, "root");
  put(297, "root");
  put(148, `${checksumOf(block).toString(8).padStart(6, "0")}\0 `);
  return block;
}

/** What fills up the last block of a content. */
export const padding = (size: number): Uint8Array => new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);

/** The `path` of a pax header: lines of "length key=value". */
export function paxPath(content: Uint8Array): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(decoder.decode(content))?.[1];
}

/** The name of a GNU header for a long one. */
export const longName = (content: Uint8Array): string => decoder.decode(content).replace(/\0.*$/s, "");
