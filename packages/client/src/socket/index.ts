export {
  createSocketTransport,
  type SocketTransport,
  type SocketTransportOptions,
  type UpgradedStream,
} from "./socket-transport.js";
export type { MessageSocket } from "./message-socket.js";

// For those who write a relay.
export {
  decodeCredit,
  decodeFrame,
  decodeJsonFrame,
  encodeFrame,
  encodeJsonFrame,
  type Frame,
  type FrameKind,
  frameKind,
  type HeadFrame,
  initialCredit,
  maxPayloadBytes,
  type OpenFrame,
  type ResetFrame,
} from "./stream-frame.js";
