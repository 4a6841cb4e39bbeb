import { defaultFrameBytes, defaultWindow, maxWindow, setting } from "./frame.js";
import { errorCode, Http2Error } from "./http2-error.js";

const maxAllowedFrame = 2 ** 24 - 1;

/** The peer's SETTINGS (RFC 9113, section 6.5.2). */
export class PeerSettings {
  headerTableSize = 4096;
  maxStreams = Number.POSITIVE_INFINITY;
  initialWindow = defaultWindow;
  maxFrame = defaultFrameBytes;

  /** @throws Http2Error */
  apply(payload: Buffer): void {
    const seen = new Set<number>();
    for (let offset = 0; offset < payload.length; offset += 6) {
      const id = payload.readUInt16BE(offset);
      // Go's server refuses it too; the RFC would take the last.
      if (seen.has(id)) throw new Http2Error(errorCode.protocolError, `setting ${id} occurs twice`);
      seen.add(id);
      this.#set(id, payload.readUInt32BE(offset + 2));
    }
  }

  #set(id: number, value: number): void {
    switch (id) {
      case setting.headerTableSize:
        this.headerTableSize = value;
        break;
      case setting.enablePush:
        if (value > 1) throw new Http2Error(errorCode.protocolError, `SETTINGS_ENABLE_PUSH of ${value}`);
        break;
      case setting.maxConcurrentStreams:
        this.maxStreams = value;
        break;
      case setting.initialWindowSize:
        if (value > maxWindow)
          throw new Http2Error(errorCode.flowControlError, `SETTINGS_INITIAL_WINDOW_SIZE of ${value}`);
        this.initialWindow = value;
        break;
      case setting.maxFrameSize:
        if (value < defaultFrameBytes || value > maxAllowedFrame)
          throw new Http2Error(errorCode.protocolError, `SETTINGS_MAX_FRAME_SIZE of ${value}`);
        this.maxFrame = value;
        break;
    }
  }
}
