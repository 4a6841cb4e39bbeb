import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Field } from "@coxswain/wire/http1";
import type { BackendPools } from "../backends/backend-pools.js";
import type { BackendCall, BackendEvents, SentRequest } from "../calls/backend-call.js";
import type { BackendService } from "../engine/backend.js";

/** Mirrored requests under way, in all: above it requests are not mirrored. */
const maxMirrors = 256;
/** Bytes of a body that a mirror's backend has not taken: a slower one gets no more of it. */
const maxUnsentBytes = 256 * 1024;

/** Copies of requests, whose answers are thrown away. They never hold up the request. */
export class Mirrors {
  #open = 0;

  start(
    sent: SentRequest,
    to: BackendService,
    endpoints: readonly Endpoint[],
    pools: BackendPools,
  ): Mirror | undefined {
    if (this.#open >= maxMirrors) return undefined;
    const endpoint = pools.choose(to, endpoints, undefined);
    if (!endpoint) return undefined;
    this.#open += 1;
    const mirror = new Mirror(() => void (this.#open -= 1));
    const copy: SentRequest = { ...sent, scheme: to.tls ? "https" : "http", upgrade: undefined };
    mirror.call = pools.poolOf(to, endpoint).start(copy, mirror);
    if (!mirror.call) mirror.onFailed();
    return mirror;
  }
}

/** A copy of one request. */
export class Mirror implements BackendEvents {
  call: BackendCall | undefined;
  readonly #onClosed: () => void;
  #isClosed = false;

  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  write(data: Buffer): void {
    if (this.#isClosed || !this.call) return;
    if (this.call.unsentBytes + data.length > maxUnsentBytes) return this.cancel();
    this.call.write(data);
  }

  end(trailers: readonly Field[]): void {
    if (!this.#isClosed) this.call?.end(trailers);
  }

  cancel(): void {
    this.call?.cancel();
    this.onFailed();
  }

  onResponse(): void {}
  onResponseData(): void {}
  onResponseFlush(): void {}
  onRequestDrain(): void {}

  onResponseEnd(): void {
    this.onFailed();
  }

  onUpgraded(_: unknown, { connection }: { connection: { destroy(): void } }): void {
    connection.destroy();
    this.onFailed();
  }

  onFailed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed();
  }
}
