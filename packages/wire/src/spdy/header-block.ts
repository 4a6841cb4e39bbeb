import { constants, inflateRawSync } from "node:zlib";
import { headerDictionary } from "./header-dictionary.js";
import { SpdyError } from "./spdy-error.js";

/** Names in lower case; a name may have several values. */
export type SpdyHeaders = ReadonlyMap<string, readonly string[]>;

/**
 * Clients of Kubernetes send three short headers. 290 bytes can inflate to 256 KiB, and those to 256,000 empty values: with such a limit a
 * connection's 1,024 streams held 2.3 GB, of 300 KB that were sent.
 */
const maxBlockBytes = 16 * 1024;
const maxHeaders = 100;
/** Of all headers together. */
const maxValues = 200;
const windowBytes = 32 * 1024;

/** One direction of a connection: every header block continues the compressed stream of the one before. */
export class HeaderInflater {
  /** What has come out so far, as far as later blocks may refer back to it. */
  #window = headerDictionary;
  #begun = false;

  /** @throws SpdyError */
  read(block: Buffer): SpdyHeaders {
    let compressed = block;
    if (!this.#begun) {
      compressed = block.subarray(zlibHeaderLength(block));
      this.#begun = true;
    }
    // Every block ends with a flush, on a whole byte: so it can be read alone, given the window that it refers to.
    const plain = this.#inflate(compressed);
    this.#window = Buffer.concat([this.#window, plain]).subarray(-windowBytes);
    return parseHeaders(plain);
  }

  #inflate(compressed: Buffer): Buffer {
    try {
      return inflateRawSync(compressed, {
        dictionary: this.#window,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: maxBlockBytes,
      });
    } catch (error) {
      throw new SpdyError("protocol-error", `headers cannot be read: ${(error as Error).message}`);
    }
  }
}

/** Two bytes, and four more that name the dictionary. */
function zlibHeaderLength(block: Buffer): number {
  if (block.length < 2 || (block[0]! & 0x0f) !== 8 || block.readUInt16BE(0) % 31 !== 0)
    throw new SpdyError("protocol-error", "the first headers are not in zlib's format");
  return (block[1]! & 0x20) === 0 ? 2 : 6;
}

function parseHeaders(plain: Buffer): SpdyHeaders {
  let offset = 0;
  const number = (): number => {
    if (offset + 4 > plain.length) throw new SpdyError("protocol-error", "a header block ends too early");
    offset += 4;
    return plain.readUInt32BE(offset - 4);
  };
  const text = (): string => {
    const length = number();
    if (offset + length > plain.length) throw new SpdyError("protocol-error", "a header is longer than what holds it");
    offset += length;
    return plain.toString("utf8", offset - length, offset);
  };
  const count = number();
  if (count > maxHeaders) throw new SpdyError("protocol-error", `${count} headers are too many`);
  const headers = new Map<string, string[]>();
  let values = 0;
  for (let index = 0; index < count; index += 1) {
    const name = text();
    if (name === "" || name !== name.toLowerCase() || headers.has(name))
      throw new SpdyError("protocol-error", "a header's name is empty, twice there, or not in lower case");
    const own = text().split("\u0000", maxValues + 1);
    values += own.length;
    if (values > maxValues) throw new SpdyError("protocol-error", `more than ${maxValues} values are too many`);
    headers.set(name, own);
  }
  return headers;
}

/**
 * Writes headers without compressing them: the format allows blocks that are stored as they are, and ours are short.
 * One for each direction: only the first block has zlib's header.
 */
export class HeaderWriter {
  #begun = false;

  write(headers: SpdyHeaders): Buffer {
    const parts: Buffer[] = [numberBytes(headers.size)];
    for (const [name, values] of headers) {
      for (const text of [name.toLowerCase(), values.join("\u0000")]) {
        const bytes = Buffer.from(text, "utf8");
        parts.push(numberBytes(bytes.length), bytes);
      }
    }
    const plain = Buffer.concat(parts);
    const stored: Buffer[] = this.#begun ? [] : [Buffer.from([0x78, 0x01])];
    this.#begun = true;
    for (let offset = 0; offset < plain.length; offset += 0xffff) {
      const piece = plain.subarray(offset, offset + 0xffff);
      const head = Buffer.from([
        0,
        piece.length & 0xff,
        piece.length >> 8,
        ~piece.length & 0xff,
        (~piece.length >> 8) & 0xff,
      ]);
      stored.push(head, piece);
    }
    // An empty stored block, which is how a flush looks: some readers wait for it.
    return Buffer.concat([...stored, Buffer.from([0, 0, 0, 0xff, 0xff])]);
  }
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
