import type { RestClient } from "@coxswain/client";
import type { EventLine, KubernetesValue } from "../contract/messages.js";
import { pathOf } from "../contract/paths.js";
import { listObjects } from "./list-objects.js";

/** An event of core/v1, whichever of its two forms it was written in. */
export function eventLine(event: KubernetesValue): EventLine {
  const {
    involvedObject = {},
    series = {},
    source = {},
  } = event as {
    involvedObject?: EventLine["about"];
    series?: { lastObservedTime?: string; count?: number };
    source?: { component?: string };
  };
  const time =
    series.lastObservedTime ?? event["lastTimestamp"] ?? event["eventTime"] ?? event.metadata?.creationTimestamp ?? "";
  return {
    at: Date.parse(time) || 0,
    type: event["type"] ?? "",
    reason: event["reason"] ?? "",
    message: event["message"] ?? "",
    count: series.count ?? event["count"] ?? 1,
    about: involvedObject,
    source: source.component || event["reportingComponent"] || "",
  };
}

/** Newest first, at most 500. */
export async function readEvents(rest: RestClient, namespace: string, fieldSelector: string): Promise<EventLine[]> {
  const path = pathOf({ group: "", version: "v1", resource: "events", namespace });
  const query: [string, string][] = [["limit", "500"]];
  if (fieldSelector !== "") query.push(["fieldSelector", fieldSelector]);
  // Times of many events have no fractions of a second: of the same second, what was written later is newer.
  const written = ({ metadata }: KubernetesValue): number => Number(metadata?.resourceVersion);
  const events = (await listObjects(rest, path, query)).toSorted((a, b) => written(b) - written(a));
  return events.map(eventLine).sort((a, b) => b.at - a.at);
}
