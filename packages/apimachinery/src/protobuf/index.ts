export {
  decodeProtobufObject,
  encodeProtobufObject,
  type Envelope,
  isProtobuf,
  readEnvelope,
  wrapEnvelope,
} from "./envelope.js";
export { decodeWatchFrame, encodeWatchFrame, FrameReader, type ProtobufWatchEvent } from "./watch.js";
export { encodeProtobuf } from "./encode.js";
export { decodeProtobuf } from "./decode.js";
