export type { WatchEvent, WatchStream } from "./watch-event.js";
export type { ListerWatcher, ListPage, ListRequest, WatchRequest } from "./lister-watcher.js";
