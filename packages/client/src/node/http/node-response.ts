import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gunzip } from "node:zlib";
import { ByteCollector } from "@coxswain/wire/bytes";
import { BatchQueue } from "../../transport/batch-queue.js";
import { parseJsonBody } from "../../transport/json-body.js";
import type { TransportResponse } from "../../transport/transport.js";
import { TransportError } from "../../transport/transport-error.js";
import { parseWarnings } from "../../transport/warnings.js";
import type { Exchange } from "./exchange.js";

const inflate = promisify(gunzip);

/** An answer over a socket. `onOver` is called once the body was read or given up. */
export class NodeResponse implements TransportResponse {
  readonly #exchange: Exchange;
  readonly #onOver: () => void;
  readonly status: number;

  constructor(exchange: Exchange, onOver: () => void) {
    this.#exchange = exchange;
    this.#onOver = onOver;
    this.status = exchange.status;
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name);
  }

  get warnings(): readonly string[] {
    const header = this.header("warning");
    return header === undefined ? [] : parseWarnings(header);
  }

  async value(): Promise<unknown> {
    return parseJsonBody(await this.bytes());
  }

  async bytes(): Promise<Uint8Array> {
    const body = await readAll(this.#exchange).finally(this.#onOver);
    if (!this.#isGzip) return body;
    try {
      return await inflate(body, { chunkSize: inflatedSize(body) });
    } catch (cause) {
      throw new TransportError("malformed", "the answer is not gzip, though its Content-Encoding is gzip", { cause });
    }
  }

  async *stream(): AsyncGenerator<Uint8Array, void> {
    const chunks = readChunks(this.#exchange);
    try {
      if (this.#isGzip) yield* Readable.from(flat(chunks)).pipe(createGunzip()) as AsyncIterable<Uint8Array>;
      else yield* flat(chunks);
    } finally {
      chunks.stop();
      this.#onOver();
    }
  }

  get #isGzip(): boolean {
    return this.header("content-encoding") === "gzip";
  }
}

/**
 * Room for the whole content at once, as the last four bytes of gzip claim it: a list of 31 MB in zlib's usual pieces of
 * 16 KB is 1,900 visits to the thread pool. Between 64 KB and 16 MB, whatever is claimed.
 */
function inflatedSize(body: Uint8Array): number {
  const end = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const claimed = end.length >= 4 ? end.readUInt32LE(end.length - 4) : 0;
  return Math.min(Math.max(claimed, 64 * 1024), 16 * 1024 * 1024);
}

async function* flat(batches: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array, void> {
  for await (const batch of batches) yield* batch;
}

function readAll({ body }: Exchange): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const whole = new ByteCollector();
    body.listen({
      data: (chunk) => whole.add(chunk),
      end: () => resolve(whole.take()),
      fail: reject,
    });
  });
}

function readChunks({ body }: Exchange): BatchQueue<Uint8Array> {
  const queue = new BatchQueue<Uint8Array>({
    maxItems: 64,
    onFull: () => body.pause(),
    onRoom: () => body.resume(),
    onStop: () => body.cancel(),
  });
  body.listen({ data: (chunk) => queue.push([chunk]), end: () => queue.end(), fail: (error) => queue.end(error) });
  return queue;
}
