export {
  type Decoded,
  decodeAny,
  type DecodeOptions,
  decodeJson,
  decodeParsed,
  type ParsedJson,
  parseJson,
  parseJsonInSteps,
  walk,
  walkKnown,
  walkOwn,
} from "./decode.js";
export { DecodeError } from "./decode-error.js";
export { encodeJson, stringifyJson } from "./encode.js";
export { type ObjectHead, scanHead } from "./scan-head.js";
export { strictDecodingMessage } from "./strict-errors.js";
export { cloneJson } from "./clone.js";
export { equalJson } from "./equal.js";
export { isJsonObject } from "./json-object.js";
export { createDeepFreeze, deepFreeze } from "./freeze.js";
export { asGiven, equalAsGiven, forgetMember, wasGivenEmpty } from "./given-empty.js";
export { withJsonNumbers } from "./typed-scalars.js";
export { hasWholeFloats, noteSentText, type SentText } from "./whole-floats.js";
// For the other codecs and engines.
export { maxDepth } from "./depth.js";
export { canonicalBase64 } from "./canonical-base64.js";
export { decodeUtf8, decodeUtf8Lossy, encodeUtf8 } from "../text/utf8-bytes.js";
export { compareUtf8 } from "../text/utf8-order.js";
