import { TransportError } from "../transport/transport-error.js";
import type { MessageSocket } from "./message-socket.js";
import { SocketStream } from "./socket-stream.js";
import {
  decodeFrame,
  decodeJsonFrame,
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  frameKind,
  type HeadFrame,
  maxPayloadBytes,
  type OpenFrame,
  type ResetFrame,
} from "./stream-frame.js";

/** The opener's side of one connection. */
export class SocketConnection {
  readonly #socket: MessageSocket;
  readonly #streams = new Map<number, SocketStream>();
  #nextId = 1;
  #lost: TransportError | undefined;

  /** @param onClose the connection is gone: no stream can be opened any more */
  constructor(socket: MessageSocket, onClose: () => void) {
    this.#socket = socket;
    socket.listen({
      onMessage: (message) => this.#receive(message),
      onClose: (reason) => {
        this.#lost = new TransportError("lost", reason === "" ? "the connection to the relay was lost" : reason);
        for (const stream of this.#streams.values()) stream.fail(this.#lost);
        this.#streams.clear();
        onClose();
      },
    });
  }

  open(request: OpenFrame, body?: Uint8Array): SocketStream {
    if (this.#lost) throw this.#lost;
    const id = this.#nextId++;
    const stream = new SocketStream(id, {
      send: (message) => this.#socket.send(message),
      onStop: () => this.reset(id),
    });
    this.#streams.set(id, stream);
    this.#socket.send(encodeJsonFrame(frameKind.open, id, request));
    if (body !== undefined) {
      this.sendData(id, body);
      this.sendEnd(id);
    }
    return stream;
  }

  sendData(id: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += maxPayloadBytes)
      this.#socket.send(encodeFrame(frameKind.data, id, bytes.subarray(at, at + maxPayloadBytes)));
  }

  sendEnd(id: number): void {
    this.#socket.send(encodeFrame(frameKind.end, id));
  }

  /** Nobody waits for the answer any more. */
  reset(id: number): void {
    if (this.#streams.delete(id)) this.#socket.send(encodeFrame(frameKind.reset, id));
  }

  close(): void {
    this.#socket.close();
  }

  #receive(message: Uint8Array): void {
    const frame = decodeFrame(message);
    const stream = frame && this.#streams.get(frame.stream);
    // Frames of a stream that was given up may still be on their way.
    if (!frame || !stream) return;
    try {
      this.#dispatch(stream, frame);
    } catch (cause) {
      this.#streams.delete(frame.stream);
      stream.fail(new TransportError("malformed", "the relay sent a frame that cannot be read", { cause }));
    }
  }

  #dispatch(stream: SocketStream, frame: Frame): void {
    switch (frame.kind) {
      case frameKind.head:
        return stream.receiveHead(decodeJsonFrame(frame) as HeadFrame);
      case frameKind.data:
        return stream.receiveData(frame.payload);
      case frameKind.end:
        this.#streams.delete(stream.id);
        return stream.receiveEnd();
      case frameKind.reset:
        this.#streams.delete(stream.id);
        return stream.receiveReset(decodeJsonFrame(frame) as ResetFrame);
    }
  }
}
