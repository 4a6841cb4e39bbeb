import { isUtf8 } from "node:buffer";
import { ByteCollector } from "../bytes/index.js";
import { closeCode, type Frame, opcode, WebSocketError } from "./frame.js";

export interface Message {
  readonly data: Buffer;
  readonly text: boolean;
}

/** Of one message: no limit of bytes counts them, and a message may continue for ever. No client is known to send even one. */
const maxEmptyFrames = 1000;

/** Puts messages together from their frames (RFC 6455, section 5.4). */
export class MessageAssembler {
  readonly #maxBytes: number;
  #message: { readonly bytes: ByteCollector; readonly text: boolean; emptyFrames: number } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** A data frame. @returns the message once it is complete @throws WebSocketError */
  add({ opcode: kind, final, payload }: Frame): Message | undefined {
    if ((kind === opcode.continuation) !== (this.#message !== undefined))
      throw new WebSocketError(
        closeCode.protocolError,
        this.#message ? "a message begins inside another" : "a continuation has nothing to continue",
      );
    const message = (this.#message ??= { bytes: new ByteCollector(), text: kind === opcode.text, emptyFrames: 0 });
    message.bytes.add(payload);
    if (payload.length === 0 && !final && ++message.emptyFrames > maxEmptyFrames)
      throw new WebSocketError(closeCode.policy, `a message has more than ${maxEmptyFrames} frames without data`);
    if (message.bytes.length > this.#maxBytes)
      throw new WebSocketError(closeCode.tooBig, `a message is over the limit of ${this.#maxBytes} bytes`);
    if (!final) return undefined;
    this.#message = undefined;
    const { text } = message;
    const data = message.bytes.take();
    if (text && !isUtf8(data)) throw new WebSocketError(closeCode.invalidData, "a text message is not UTF-8");
    return { data, text };
  }
}
