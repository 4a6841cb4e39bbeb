export { ByteCollector } from "./byte-collector.js";
export { UnreadBytes } from "./unread-bytes.js";
