import { defaultFrameBytes, defaultWindow, maxWindow, setting } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";

const largestFrame = 2 ** 24 - 1;

/** What the other side asks of us (RFC 9113, section 6.5.2). */
export class PeerSettings {
  headerTableSize = 4096;
  maxStreams = Number.POSITIVE_INFINITY;
  initialWindow = defaultWindow;
  maxFrame = defaultFrameBytes;

  /** @throws Http2Error */
  apply(payload: Buffer): void {
    const said = new Set<number>();
    for (let offset = 0; offset < payload.length; offset += 6) {
      const id = payload.readUInt16BE(offset);
      // As Go's server has it; the protocol would take the last.
      if (said.has(id)) throw new Http2Error(errorCode.protocolError, `setting ${id} is said twice`);
      said.add(id);
      this.#set(id, payload.readUInt32BE(offset + 2));
    }
  }

  #set(id: number, value: number): void {
    switch (id) {
      case setting.headerTableSize:
        this.headerTableSize = value;
        break;
      case setting.enablePush:
        if (value > 1) throw new Http2Error(errorCode.protocolError, `${value} is no answer to whether to push`);
        break;
      case setting.maxConcurrentStreams:
        this.maxStreams = value;
        break;
      case setting.initialWindowSize:
        if (value > maxWindow)
          throw new Http2Error(errorCode.flowControlError, `${value} bytes are no size for a window`);
        this.initialWindow = value;
        break;
      case setting.maxFrameSize:
        if (value < defaultFrameBytes || value > largestFrame)
          throw new Http2Error(errorCode.protocolError, `${value} bytes are no size for frames`);
        this.maxFrame = value;
        break;
    }
  }
}
