import type { RestClient } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { EventLine, TimelineEntry, TimelineState } from "../contract/messages.js";
import { refTo } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import { readChanges } from "./changes.js";
import { readEvents } from "./event-lines.js";
import type { Feed } from "./feed.js";
import { problemOf } from "./problem.js";
import { readRollouts } from "./rollouts.js";
import type { TableStores } from "./table-store.js";

const quietMs = 1000;

/** Events and changes of a namespace in one list, newest first. Read anew when an event arrives, at most once a second. */
export function timelineFeed(
  runtime: Runtime,
  context: { readonly rest: RestClient; readonly catalogue: Catalogue; readonly stores: TableStores },
  first: { readonly namespace: string },
  push: (state: TimelineState) => void,
): Feed<{ readonly namespace: string }> {
  let { namespace } = first;
  let timer: { cancel(): void } | undefined;
  const hasHistory = context.catalogue.find("history.coxswain.dev", "changes") !== undefined;
  const note = hasHistory ? "" : "This server keeps no history of changes: these are its events.";
  const read = async (): Promise<void> => {
    try {
      const [events, rollouts, changes] = await Promise.all([
        readEvents(context.rest, namespace, ""),
        readRollouts(context.rest, namespace).catch(() => []), // one may see events and no ReplicaSets
        hasHistory ? readChanges(context.rest, context.catalogue, { namespace, fieldSelector: "", limit: 300 }) : [],
      ]);
      const entries = [...events.map((event) => eventEntry(event, context.catalogue)), ...rollouts, ...changes]
        .sort((a, b) => b.at - a.at)
        .slice(0, 400);
      push({ entries, problem: undefined, note });
    } catch (error) {
      push({ entries: [], problem: problemOf(error), note });
    }
  };
  const readSoon = (): void =>
    void (timer ??= runtime.clock.setTimer(quietMs, () => {
      timer = undefined;
      void read();
    }));
  let used = context.stores.use({ group: "", version: "v1", resource: "events", namespace }, "");
  let unlisten = used.store.listen(readSoon);
  void read();
  return {
    update(next) {
      ({ namespace } = next);
      unlisten();
      used.release();
      used = context.stores.use({ group: "", version: "v1", resource: "events", namespace }, "");
      unlisten = used.store.listen(readSoon);
      void read();
    },
    close() {
      timer?.cancel();
      unlisten();
      used.release();
    },
  };
}

export function eventEntry(event: EventLine, catalogue: Pick<Catalogue, "ofKind">): TimelineEntry {
  const { apiVersion = "", kind = "", namespace = "", name = "" } = event.about;
  const info = catalogue.ofKind(apiVersion, kind);
  return {
    at: event.at,
    source: "event",
    kind,
    ref: info && refTo(info, event.about),
    name: namespace === "" ? name : `${namespace}/${name}`,
    who: event.source,
    what: `${event.reason}: ${event.message}`,
    tone: event.type === "Warning" ? "bad" : "none",
    revision: "",
  };
}
