import { defaultWindow, encodeUint32Frame, frameType } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { ReceiveWindow } from "./receive-window.js";
import type { ServerStream } from "./server-stream.js";
import type { WriteBuffer } from "./write-buffer.js";

/** Flow control of request bodies: the receive windows of the streams and of the connection, and the WINDOW_UPDATE frames for them. */
export class ReceiveFlowControl {
  readonly #out: WriteBuffer;
  readonly #window: ReceiveWindow;

  /** @param bytes the connection's window; announced to the client */
  constructor(out: WriteBuffer, bytes: number) {
    this.#out = out;
    this.#window = new ReceiveWindow(bytes);
    if (bytes > defaultWindow) out.put(encodeUint32Frame(frameType.windowUpdate, 0, bytes - defaultWindow));
  }

  /** DATA was received on the connection, padding included. @throws Http2Error when the window is exceeded */
  receive(bytes: number): void {
    if (!this.#window.receive(bytes))
      throw new Http2Error(errorCode.flowControlError, "the client exceeds the connection's flow-control window");
  }

  /** DATA was received on the stream. @throws Http2Error of that stream */
  receiveOnStream({ id, receiveWindow }: ServerStream, bytes: number): void {
    if (!receiveWindow.receive(bytes))
      throw new Http2Error(errorCode.flowControlError, "the client exceeds the stream's flow-control window", id);
  }

  /** So many bytes of a stream's body have been consumed. */
  credit(stream: ServerStream, bytes: number): void {
    this.creditConnection(bytes);
    const more = stream.receiveWindow.credit(bytes);
    if (more > 0 && !stream.hasReceivedEnd && !stream.isClosed)
      this.#out.put(encodeUint32Frame(frameType.windowUpdate, stream.id, more));
  }

  /** So many bytes were consumed, or discarded, that belong to no open stream. */
  creditConnection(bytes: number): void {
    const more = this.#window.credit(bytes);
    if (more > 0) this.#out.put(encodeUint32Frame(frameType.windowUpdate, 0, more));
  }

  /** Credits what was received on a stream and will never be consumed. */
  remove({ receiveWindow: { held } }: ServerStream): void {
    if (held > 0) this.creditConnection(held);
  }
}
