export type { Transport, TransportBody, TransportRequest, TransportResponse } from "./transport/index.js";
export type { ListerWatcher, ListPage, ListRequest, WatchEvent, WatchRequest, WatchStream } from "./watch/index.js";
