/** What to put into an archive. */
export interface TarSource {
  readonly name: string;
  readonly type: "file" | "directory";
  readonly mode: number;
  /** Of a file: exactly as many bytes as `content` has. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

const blockBytes = 512;

/** An archive in the format ustar, with pax records for what does not fit: names of more than 100 bytes, files from 8 GiB on. */
export async function* writeTar(
  sources: AsyncIterable<TarSource> | Iterable<TarSource>,
): AsyncGenerator<Uint8Array, void> {
  for await (const source of sources) {
    const name = source.type === "directory" ? `${source.name}/` : source.name;
    const records = [
      ...(Buffer.byteLength(name) > 100 || !/^[\x20-\x7e]*$/.test(name) ? [paxRecord("path", name)] : []),
      ...(source.size >= 8 ** 11 ? [paxRecord("size", String(source.size))] : []),
    ];
    if (records.length > 0) {
      const body = Buffer.concat(records);
      yield header("pax", { type: "x", mode: 0o644, size: body.length });
      yield body;
      yield padding(body.length);
    }
    yield header(name, { type: source.type === "directory" ? "5" : "0", mode: source.mode, size: source.size });
    let left = source.size;
    for await (const part of source.content) {
      left -= part.length;
      if (left < 0) throw new Error(`${source.name} has grown while it was read`);
      yield part;
    }
    if (left > 0) throw new Error(`${source.name} has shrunk while it was read`);
    yield padding(source.size);
  }
  yield new Uint8Array(2 * blockBytes);
}

const padding = (size: number): Uint8Array => new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);

/** Its length counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length !== String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function header(name: string, { type, mode, size }: { type: string; mode: number; size: number }): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(
      `${Math.min(value, 8 ** (length - 1) - 1)
        .toString(8)
        .padStart(length - 1, "0")}\0`,
      at,
      "latin1",
    );
  Buffer.from(name).copy(block, 0, 0, 100);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.fill(0x20, 148, 156);
  block.write(type, 156, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}
