export { ByteCollector } from "./byte-collector.js";
export { addressBytes, formatAddress } from "./ip-address.js";
export { UnreadBytes } from "./unread-bytes.js";
