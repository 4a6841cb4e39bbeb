import { decodeCredit, decodeFrame, type Frame, frameKind } from "@coxswain/client/socket";
import type { WebSocketConnection } from "@coxswain/wire/websocket";
import { firstRefusal, type Guard } from "./guards/index.js";
import type { OpenPodPort } from "./pod-port.js";
import { type ConsoleClock, RelayStream, type Upstream } from "./relay-stream.js";

export interface RelaySessionOptions {
  readonly socket: WebSocketConnection;
  readonly upstream: Upstream;
  readonly guards: readonly Guard[];
  readonly readOnly: boolean;
  readonly openPodPort: OpenPodPort;
  readonly clock: ConsoleClock | undefined;
}

/** The relay's side of one WebSocket: a table of streams, and nothing that outlives them. */
export class RelaySession {
  readonly #options: RelaySessionOptions;
  readonly #streams = new Map<number, RelayStream>();
  readonly #forwards = new Set<RelayStream>();
  #lastStream = 0;
  #bytesInFlight = 0;

  constructor(options: RelaySessionOptions) {
    this.#options = options;
  }

  receive(message: Uint8Array, isText: boolean): void {
    const frame = decodeFrame(message);
    const refusal = firstRefusal(this.#options.guards, "frame", this.#factsOf(frame, message.length, isText));
    if (refusal) {
      this.#options.socket.close(1008, refusal.message);
      this.close();
    } else if (frame) this.#dispatch(frame);
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.cancel();
    this.#streams.clear();
  }

  #factsOf(frame: Frame | undefined, bytes: number, isText: boolean) {
    const { kind = 0, stream: id = 0 } = frame ?? {};
    const stream = this.#streams.get(id);
    const dataBytes = kind === frameKind.data ? bytes : 0;
    return {
      isText,
      bytes,
      kind,
      stream: id,
      lastStream: this.#lastStream,
      openStreams: this.#streams.size,
      bodyBytes: (stream?.bodyBytes ?? 0) + dataBytes,
      bytesInFlight: this.#bytesInFlight + dataBytes,
      credit: kind === frameKind.credit && frame ? (stream?.credit ?? 0) + (decodeCredit(frame) ?? 0) : 0,
      isMessage: stream?.isUpgraded ?? false,
    };
  }

  #dispatch(frame: Frame): void {
    if (frame.kind === frameKind.open) return this.#open(frame);
    const stream = this.#streams.get(frame.stream);
    if (!stream) return; // it ended while this was on its way
    switch (frame.kind) {
      case frameKind.data:
        return stream.receiveData(frame.payload);
      case frameKind.end:
        return stream.receiveEnd();
      case frameKind.credit:
        return stream.addCredit(decodeCredit(frame) ?? 0);
      case frameKind.reset:
        this.#streams.delete(stream.id);
        return stream.cancel();
    }
  }

  #open(frame: Frame): void {
    const { socket, upstream, guards, readOnly, openPodPort, clock } = this.#options;
    this.#lastStream = Math.max(this.#lastStream, frame.stream);
    const stream = new RelayStream(frame.stream, {
      upstream,
      guards,
      readOnly,
      openPodPort,
      clock,
      forwards: this.#forwards,
      async send(message) {
        if (!socket.send(message)) await socket.drained();
      },
      hold: (bytes) => (this.#bytesInFlight += bytes),
    });
    this.#streams.set(stream.id, stream);
    void stream.run(frame).finally(() => {
      if (this.#streams.get(stream.id) === stream) this.#streams.delete(stream.id);
    });
  }
}
