export { decodeUtf8, decodeUtf8Lossy, encodeUtf8 } from "./utf8-bytes.js";
export { compareUtf8, truncateUtf8, utf8Length } from "./utf8-order.js";
export { isPrintable, quoteGo, quoteGoByte } from "./go-quote.js";
export { goFloat, goJson, goNumber } from "./go-json.js";
export { goJsonKind } from "./go-json-kind.js";
export { trimEndOf, trimOf, trimStartOf } from "./trim.js";
