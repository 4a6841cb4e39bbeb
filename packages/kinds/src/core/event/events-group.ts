import type { Event } from "@coxswain/api/events/v1";
import { builtInVersion } from "../../built-in/built-in-version.js";
import type { StoredEvent } from "./stored.js";

/** The same events in the group of their own, which calls some members by other names. */
export const eventOfEventsGroup = builtInVersion<StoredEvent, Event>("events.k8s.io", "v1", "events", {
  hub: { group: "", version: "v1" },
  toHub: ({
    regarding,
    note,
    reportingController,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    ...rest
  }) =>
    ({
      ...rest,
      apiVersion: "v1",
      involvedObject: regarding ?? {},
      message: note,
      reportingComponent: reportingController ?? "",
      source: deprecatedSource,
      firstTimestamp: deprecatedFirstTimestamp,
      lastTimestamp: deprecatedLastTimestamp,
      count: deprecatedCount,
    }) as StoredEvent,
  fromHub: ({ involvedObject, message, reportingComponent, source, firstTimestamp, lastTimestamp, count, ...rest }) =>
    ({
      ...rest,
      apiVersion: "events.k8s.io/v1",
      regarding: involvedObject,
      note: message,
      reportingController: reportingComponent,
      deprecatedSource: source,
      deprecatedFirstTimestamp: firstTimestamp,
      deprecatedLastTimestamp: lastTimestamp,
      deprecatedCount: count,
    }) as Event,
});
