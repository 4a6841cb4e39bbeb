/** An entry of a tar archive. Its content must be read, or left by the next step of the iteration. */
export interface TarEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "other";
  readonly mode: number;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

const blockBytes = 512;
/** Long names and the like; a longer header is an attack. */
const maxHeaderBytes = 1 << 20;

/** The entries of an archive in the formats ustar, pax and GNU. Throws on a broken one. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void> {
  const input = new ByteReader(chunks);
  let long: { path?: string; size?: number } = {};
  for (;;) {
    const header = await input.take(blockBytes, { mayEnd: true });
    if (header === undefined || header.every((byte) => byte === 0)) return;
    checkSum(header);
    const type = String.fromCharCode(header[156] as number);
    const size = long.size ?? octal(header, 124, 12);
    const padding = (blockBytes - (size % blockBytes)) % blockBytes;
    if (type === "x" || type === "L" || type === "g" || type === "K") {
      if (size > maxHeaderBytes) throw new Error("the tar archive has a header of more than 1 MiB");
      const text = ((await input.take(size)) as Buffer).toString("utf8");
      await input.take(padding);
      if (type === "x") long = { ...long, ...paxRecords(text) };
      if (type === "L") long = { ...long, path: text.replace(/\0.*$/s, "") };
      continue;
    }
    const prefix = header.toString("latin1", 257, 262) === "ustar" ? field(header, 345, 155) : "";
    const name = long.path ?? (prefix === "" ? field(header, 0, 100) : `${prefix}/${field(header, 0, 100)}`);
    long = {};
    let left = size;
    const content = (async function* () {
      while (left > 0) {
        const part = await input.some(left);
        left -= part.length;
        yield part;
      }
    })();
    yield {
      name,
      type: type === "0" || type === "\0" || type === "7" ? "file" : type === "5" ? "directory" : "other",
      mode: octal(header, 100, 8),
      size,
      content,
    };
    while (left > 0) left -= (await input.some(left)).length;
    await input.take(padding);
  }
}

const field = (header: Buffer, at: number, length: number): string => {
  const end = header.indexOf(0, at);
  return header.toString("utf8", at, end < 0 || end > at + length ? at + length : end);
};

/** Numbers are octal text, or binary where the first bit is set. */
function octal(header: Buffer, at: number, length: number): number {
  if (((header[at] as number) & 0x80) !== 0) return header.readUIntBE(at + length - 6, 6);
  const text = field(header, at, length).trim();
  if (!/^[0-7]*$/.test(text)) throw new Error("the tar archive has a number that is none");
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function checkSum(header: Buffer): void {
  let sum = 0;
  for (let at = 0; at < blockBytes; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] as number);
  if (sum !== octal(header, 148, 8)) throw new Error("the tar archive is damaged: a checksum is wrong");
}

/** `length key=value\n`, as often as there are records. */
function paxRecords(text: string): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  let rest = Buffer.from(text, "utf8");
  while (rest.length > 0) {
    const space = rest.indexOf(0x20);
    const length = Number(rest.toString("latin1", 0, space));
    if (!(length > space && length <= rest.length)) throw new Error("the tar archive has a damaged pax header");
    const [, key, value = ""] = /^([^=]*)=(.*)\n$/s.exec(rest.toString("utf8", space + 1, length)) ?? [];
    if (key === "path") found.path = value;
    if (key === "size") found.size = Number(value);
    rest = rest.subarray(length);
  }
  return found;
}

class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffered = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; undefined where nothing is left and that is allowed. */
  async take(length: number, { mayEnd = false } = {}): Promise<Buffer | undefined> {
    while (this.#buffered.length < length) {
      if (await this.#more()) continue;
      if (mayEnd && this.#buffered.length === 0) return undefined;
      throw new Error("the tar archive ends too early");
    }
    return this.#cut(length);
  }

  /** At least one byte, at most `most`. */
  async some(most: number): Promise<Buffer> {
    while (this.#buffered.length === 0) if (!(await this.#more())) throw new Error("the tar archive ends too early");
    return this.#cut(Math.min(most, this.#buffered.length));
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#buffered = this.#buffered.length === 0 ? Buffer.from(value) : Buffer.concat([this.#buffered, value]);
    return true;
  }

  #cut(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return taken;
  }
}
