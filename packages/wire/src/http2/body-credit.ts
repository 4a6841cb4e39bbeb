import { defaultWindow, encodeNumber, frameType } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";
import type { Outbox } from "./outbox.js";
import { ReceiveWindow } from "./receive-window.js";
import type { ServerStream } from "./server-stream.js";

/** How much more the client may send of the bodies of its requests, of each and of all together. */
export class BodyCredit {
  readonly #out: Outbox;
  readonly #window: ReceiveWindow;

  /** @param bytes for all together; the client is told */
  constructor(out: Outbox, bytes: number) {
    this.#out = out;
    this.#window = new ReceiveWindow(bytes);
    if (bytes > defaultWindow) out.put(encodeNumber(frameType.windowUpdate, 0, bytes - defaultWindow));
  }

  /** So many bytes have come. @throws Http2Error if they are too many */
  receive(bytes: number): void {
    if (!this.#window.receive(bytes))
      throw new Http2Error(errorCode.flowControlError, "the client sends more than the connection's window allows");
  }

  /** They came to a stream. @throws Http2Error of that stream */
  receiveFor({ id, receiveWindow }: ServerStream, bytes: number): void {
    if (!receiveWindow.receive(bytes))
      throw new Http2Error(errorCode.flowControlError, "the client sends more than the stream's window allows", id);
  }

  /** As many have been taken of a stream's body. */
  credit(stream: ServerStream, bytes: number): void {
    this.creditAll(bytes);
    const more = stream.receiveWindow.credit(bytes);
    if (more > 0 && !stream.hasEnded && !stream.isOver)
      this.#out.put(encodeNumber(frameType.windowUpdate, stream.id, more));
  }

  /** As many are of no stream any more. */
  creditAll(bytes: number): void {
    const more = this.#window.credit(bytes);
    if (more > 0) this.#out.put(encodeNumber(frameType.windowUpdate, 0, more));
  }

  /** What came of its body, and nobody will take. */
  forget({ receiveWindow: { held } }: ServerStream): void {
    if (held > 0) this.creditAll(held);
  }
}
