import type { Feed } from "./feed.js";

/** A feed whose code is loaded when it is first opened: what the page wants meanwhile is not lost. */
export function lazyFeed<Params>(first: Params, load: () => Promise<(params: Params) => Feed<Params>>): Feed<Params> {
  let params = first;
  let feed: Feed<Params> | undefined;
  let isClosed = false;
  void load().then((open) => {
    if (!isClosed) feed = open(params);
  });
  return {
    update(next) {
      params = next;
      feed?.update(next);
    },
    close() {
      isClosed = true;
      feed?.close();
    },
  };
}
