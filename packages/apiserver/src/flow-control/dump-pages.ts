import { largest } from "@coxswain/apimachinery/append";
import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { Clock } from "@coxswain/runtime/clock";
import type { PathSource } from "../endpoints/paths/path-source.js";
import type { RequestContext } from "../request/request-context.js";
import type { FairRequest } from "./fair-request.js";
import type { PriorityLevels } from "./priority-levels.js";
import { seatSecondsText } from "./seat-seconds.js";

const below = "/debug/api_priority_and_fairness/";

/** The state of levels, queues and requests as text tables, at upstream's debug paths. */
export function createDumpPages(priorities: PriorityLevels, clock: Clock): PathSource {
  const pages: Readonly<Record<string, (context: RequestContext) => string[][]>> = {
    [`${below}dump_priority_levels`]: () => levelRows(priorities),
    [`${below}dump_queues`]: () => queueRows(priorities),
    [`${below}dump_requests`]: ({ query }) =>
      requestRows(priorities, clock, query.text("includeRequestDetails") !== ""),
  };
  return (context) => {
    const { path } = context.info;
    if (!path.startsWith(below)) return undefined;
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    return (
      page && {
        as: "document",
        code: 200,
        contentType: "text/plain; charset=utf-8",
        bytes: new TextEncoder().encode(table(page(context))),
      }
    );
  };
}

function levelRows({ levels }: PriorityLevels): string[][] {
  const rows = [
    [
      "PriorityLevelName",
      "ActiveQueues",
      "IsIdle",
      "IsQuiescing",
      "WaitingRequests",
      "ExecutingRequests",
      "DispatchedRequests",
      "RejectedRequests",
      "TimedoutRequests",
      "CancelledRequests",
    ],
  ];
  for (const { name, queueSet, isQuiescing } of [...levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { queues, isIdle, waiting, executing, dispatched, rejected, cancelled } = queueSet;
    const active = queues.filter((queue) => queue.waiting.length > 0).length;
    rows.push([
      name,
      ...[active, isIdle, isQuiescing, waiting, executing, dispatched, rejected, 0, cancelled].map(String),
    ]);
  }
  return rows;
}

function queueRows({ levels }: PriorityLevels): string[][] {
  const rows = [
    [
      "PriorityLevelName",
      "Index",
      "PendingRequests",
      "ExecutingRequests",
      "SeatsInUse",
      "NextDispatchR",
      "InitialSeatsSum",
      "MaxSeatsSum",
      "TotalWorkSum",
    ],
  ];
  for (const { name, queueSet } of levels.values())
    for (const { index, waiting, executing, seatsInUse, nextDispatchR, waitingSeats, waitingWork } of queueSet.queues) {
      const initialSeats = waiting.reduce((sum, request) => sum + request.initialSeats, 0);
      rows.push([
        name,
        String(index),
        String(waiting.length),
        String(executing.size),
        String(seatsInUse),
        seatSecondsText(nextDispatchR),
        String(initialSeats),
        String(waitingSeats),
        seatSecondsText(waitingWork),
      ]);
    }
  return rows;
}

function requestRows({ levels }: PriorityLevels, clock: Clock, withDetails: boolean): string[][] {
  const details = withDetails
    ? ["UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion", "Resource", "SubResource"]
    : [];
  const rows = [
    [
      "PriorityLevelName",
      "FlowSchemaName",
      "QueueIndex",
      "RequestIndexInQueue",
      "FlowDistingsher",
      "ArriveTime",
      "InitialSeats",
      "FinalSeats",
      "AdditionalLatency",
      "StartTime",
      ...details,
    ],
  ];
  for (const { name, queueSet } of levels.values()) {
    const add = (request: FairRequest, queue: number, place: number): void => {
      const { flow, arrivedMs, startedMs, initialSeats, finalSeats, additionalMs, state } = request;
      const started = state === "waiting" ? "0001-01-01T00:00:00Z" : wallTime(clock, startedMs);
      rows.push([
        name,
        flow.tally.schema,
        String(queue),
        String(place),
        flow.distinguisher,
        wallTime(clock, arrivedMs),
        String(initialSeats),
        String(finalSeats),
        formatDurationMs(additionalMs),
        started,
        ...(withDetails ? detailsOf(request) : []),
      ]);
    };
    for (const queue of queueSet.queues) {
      for (const [place, request] of queue.waiting.entries()) add(request, queue.index, place);
      for (const request of queue.executing) add(request, queue.index, -1);
    }
    for (const request of queueSet.queueless) add(request, -1, -1);
  }
  return rows;
}

function detailsOf({ digest: { user, info } }: FairRequest): string[] {
  const { name = "", version = "" } = info as Partial<RequestContext["info"]>;
  return [
    user.name,
    info.verb,
    info.path,
    info.namespace,
    name,
    info.group === "" ? version : `${info.group}/${version}`,
    info.resource,
    info.subresource,
  ];
}

/** Requests are timed by a clock that only ever grows; people read the other one. */
function wallTime(clock: Clock, monotonicMs: number): string {
  const at = new Date(Math.round(clock.now() - (clock.monotonic() - monotonicMs)));
  return at.toISOString().replace(/\.?0*Z$/, "Z");
}

/** Columns of at least eight characters, with a comma and a space behind each cell but the last. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns - 1 }, (_, at) =>
    largest(
      rows.map((row) => (row[at]?.length ?? 0) + 2),
      8,
    ),
  );
  return rows
    .map(
      (row) => `${row.map((cell, at) => (at === columns - 1 ? cell : `${cell},`.padEnd(widths[at] ?? 0))).join("")}\n`,
    )
    .join("");
}
