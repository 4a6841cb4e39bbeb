import { BatchQueue } from "../transport/batch-queue.js";
import { TransportError } from "../transport/transport-error.js";
import { encodeCredit, type HeadFrame, initialCredit, type ResetFrame } from "./stream-frame.js";

/** One request and its answer on a shared connection. The reader's pace is the sender's: credit is given for what was read. */
export class SocketStream {
  readonly id: number;
  readonly head: Promise<HeadFrame>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #chunks: BatchQueue<Uint8Array>;
  readonly #send: (message: Uint8Array) => void;
  #answer!: { resolve(head: HeadFrame): void; reject(error: unknown): void };
  /** Read, and not yet given back as credit. */
  #read = 0;

  /** @param onStop the reader wants no more */
  constructor(id: number, { send, onStop }: { send: (message: Uint8Array) => void; onStop: () => void }) {
    this.id = id;
    this.#send = send;
    this.#chunks = new BatchQueue<Uint8Array>({ onStop, maxItems: Number.POSITIVE_INFINITY });
    this.head = new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
    this.head.catch(() => {}); // those who wait for it receive the error
    this.body = this.#readBody();
  }

  receiveHead(head: HeadFrame): void {
    this.#answer.resolve(head);
  }

  receiveData(chunk: Uint8Array): void {
    this.#chunks.push([chunk]);
  }

  receiveEnd(): void {
    this.#chunks.end();
  }

  fail(error: unknown): void {
    this.#answer.reject(error);
    this.#chunks.end(error);
  }

  receiveReset({ kind, message, neverSent }: ResetFrame): void {
    this.fail(new TransportError(kind === "refused" ? "connect" : kind, message, { neverSent }));
  }

  /** Drops what waits; the relay is notified by `onStop`. */
  stop(): void {
    this.#chunks.stop();
  }

  async *#readBody(): AsyncGenerator<Uint8Array, void> {
    for await (const batch of this.#chunks) {
      for (const chunk of batch) {
        yield chunk;
        this.#giveCredit(chunk.length);
      }
    }
  }

  #giveCredit(bytes: number): void {
    this.#read += bytes;
    if (this.#read < initialCredit / 2 || this.#chunks.ended) return;
    this.#send(encodeCredit(this.id, this.#read));
    this.#read = 0;
  }
}
