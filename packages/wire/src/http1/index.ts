export { BodyDecoder } from "./body-decoder.js";
export { type BodyFraming, requestFraming, responseFraming } from "./body-framing.js";
export { type Field, fieldOf, fieldValue, hasToken, joinedValue } from "./field.js";
export { HeadReader } from "./head-reader.js";
export { Http1Error } from "./http1-error.js";
export { parseRequestHead, parseResponseHead, type RequestHead, type ResponseHead } from "./message-head.js";
export { encodeChunk, encodeLastChunk, joinHead, writeFields } from "./write-message.js";
