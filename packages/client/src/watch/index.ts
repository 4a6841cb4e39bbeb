export type { WatchEvent, WatchStream } from "../transport/watch-event.js";
export type { ListerWatcher, ListPage, ListRequest, WatchRequest } from "./lister-watcher.js";
export { eachEvent } from "./each-event.js";

// For those who write a transport.
export { initialEventsEndAnnotation, WatchDecoder, watchEventOf } from "./watch-decoder.js";
export { watchBytes, type WatchBytesOptions, type WatchSink, type WatchSource } from "./watch-bytes.js";
