import { systemEventLoop } from "@coxswain/runtime/event-loop";
import type { WatchSink } from "../cache/watcher.js";
import type { WatchAnswer } from "../request/answer.js";

/** The same watch; `done` is called when the client has taken what the watch begins with, and at its end at the latest. */
export function onceInitialised(answer: WatchAnswer, done: () => void): WatchAnswer {
  return {
    ...answer,
    open(sink) {
      let isFull = false;
      const check = (): void => void (isFull || done());
      const watched: WatchSink = {
        deliver(events) {
          const full = sink.deliver(events);
          if (!full) return undefined;
          isFull = true;
          // Another waiter of the same promise may deliver more in between.
          return full.finally(() => {
            isFull = false;
            systemEventLoop.nextIteration(check);
          });
        },
        bookmark: (revision, initial) => sink.bookmark(revision, initial),
        end(reason) {
          done();
          sink.end(reason);
        },
      };
      const watcher = answer.open(watched);
      check();
      return watcher;
    },
  };
}
