import type { Soon } from "@coxswain/runtime/soon";
import type { RequestAudit } from "../request/request-audit.js";
import type { ResponseSink } from "../request/response-sink.js";

type Headers = Readonly<Record<string, string | string[]>>;

/** A sink that notifies a record when its response begins and ends: a client that has read the whole response finds it in the log. */
export class AuditedSink implements ResponseSink {
  readonly #sink: ResponseSink;
  readonly #record: RequestAudit;
  #holdsEnd = false;

  constructor(sink: ResponseSink, record: RequestAudit) {
    this.#sink = sink;
    this.#record = record;
  }

  head(code: number, headers: Headers): void {
    this.#record.begin(code);
    this.#sink.head(code, headers);
  }

  only(code: number, headers: Headers): void {
    this.#record.begin(code);
    this.#afterTelling(() => this.#sink.only(code, headers));
  }

  end(chunk?: Uint8Array): void {
    this.#afterTelling(() => this.#sink.end(chunk));
  }

  abort(): void {
    this.#afterTelling(() => this.#sink.abort());
  }

  flushed(): Soon<void> {
    return this.#sink.flushed();
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink.write(chunk);
  }

  drained(): Promise<void> {
    return this.#record.measureWriting(this.#sink.drained());
  }

  send(chunk: Uint8Array): Promise<void> {
    return this.#record.measureWriting(this.#sink.send(chunk));
  }

  get isEmpty(): boolean {
    return !this.#holdsEnd && this.#sink.isEmpty;
  }

  get unreadBytes(): number {
    return this.#sink.unreadBytes;
  }

  get headersSent(): boolean {
    return this.#sink.headersSent;
  }

  get code(): number {
    return this.#sink.code;
  }

  get bytes(): number {
    return this.#sink.bytes;
  }

  /** A backend that blocks holds up the end of the answer. */
  #afterTelling(finish: () => void): void {
    const isKept = this.#record.end();
    if (!(isKept instanceof Promise)) return finish();
    this.#holdsEnd = true;
    void isKept.then(finish);
  }
}
