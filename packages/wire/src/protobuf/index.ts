export { decode } from "./decode.js";
export { encode } from "./encode.js";
export { fromJson, toJson } from "./json.js";
export {
  type Decoded,
  type Encodable,
  message,
  type MessageField,
  type MessageFields,
  type MessageType,
  type ScalarType,
} from "./message.js";
export { ProtobufError } from "./reader.js";
