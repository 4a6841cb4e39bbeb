import type { RequestContext } from "../request/request-context.js";
import { oneSeat, type WorkEstimate } from "./fair-request.js";
import { msPerSeat, seatsTimesMs } from "./seat-seconds.js";
import type { WatchCounts } from "./watch-counts.js";

const bytesPerSeat = 100_000;
const objectsPerSeat = 100;
/** Lists from the cache are sent as they are encoded: no more than this is in memory at once. */
const maxBytesInMemory = 1_000_000;
/** Upstream's watchesPerSeat and eventAdditionalDuration: what it costs to send an event to watches. */
const watchesPerSeat = 10;
const eventMs = 5;
const maxSeatsPerWrite = 10;

export interface ObjectStats {
  readonly count: number;
  readonly averageBytes: number;
}

export interface WorkFacts {
  /** Undefined: no such resource is kept here. */
  statsOf(group: string, resource: string): ObjectStats | undefined;
  readonly watches: WatchCounts;
  /** Lists cost by the size of the objects, not by their number. */
  readonly listsBySize: boolean;
  /** Watches that begin with what is there cost as a list does. */
  readonly watchesAsLists: boolean;
  /** Called with the number of watches that a write is sent to. */
  readonly onWatchCount?: (count: number) => void;
}

type Asked = Pick<RequestContext, "info" | "query">;

/** What a request will cost, before anything of it is done. `maxSeats`: the level lets no request have more. */
export function estimateWork(request: Asked, maxSeats: number | undefined, facts: WorkFacts): WorkEstimate {
  switch (request.info.verb) {
    case "list":
      return listWork(request, maxSeats, facts);
    case "watch":
      return facts.watchesAsLists && wantsInitialEvents(request) ? listWork(request, maxSeats, facts) : oneSeat;
    case "create":
    case "update":
    case "patch":
    case "delete":
      return writeWork(request, maxSeats, facts);
    default:
      return oneSeat;
  }
}

function wantsInitialEvents({ query }: Asked): boolean {
  const resourceVersion = query.text("resourceVersion");
  return query.flag("sendInitialEvents") === true || resourceVersion === "" || resourceVersion === "0";
}

function listWork({ info, query }: Asked, maxSeats: number | undefined, facts: WorkFacts): WorkEstimate {
  const stats = facts.statsOf(info.group, info.resource);
  if (!stats) return oneSeat;
  const most = Math.min(maxSeats ?? Infinity, facts.listsBySize ? 100 : 10);
  const seats = facts.listsBySize ? seatsBySize(info, query, stats) : seatsByCount(info, query, stats);
  return seats <= 1 ? oneSeat : { initialSeats: Math.min(seats, most), finalSeats: 0, additionalMs: 0 };
}

function seatsBySize(info: Asked["info"], query: Asked["query"], { count, averageBytes }: ObjectStats): number {
  const limited = limitedTo(query, count);
  const fromCache = isFromCache(info.verb, query);
  const objects =
    info.name !== "" ? 1 : !fromCache && isSelective(query) ? Math.max(limited, Math.trunc(count / 2)) : limited;
  const bytes = objects * averageBytes;
  return Math.ceil((fromCache ? Math.min(bytes, maxBytesInMemory) : bytes) / bytesPerSeat);
}

function seatsByCount(info: Asked["info"], query: Asked["query"], { count }: ObjectStats): number {
  const limited = limitedTo(query, count);
  const objects =
    info.name !== "" ? 1 : isFromCache(info.verb, query) ? count : isSelective(query) ? count + limited : 2 * limited;
  return Math.ceil(objects / objectsPerSeat);
}

function limitedTo(query: Asked["query"], count: number): number {
  const limit = Number(query.text("limit"));
  return limit > 0 && limit < count ? limit : count;
}

const isSelective = (query: Asked["query"]): boolean =>
  query.text("fieldSelector") !== "" || query.text("labelSelector") !== "";

/** As upstream decides it (apiserver pkg/storage/cacher/delegator/interface.go, ShouldDelegateListMeta): pages after the first, and exact revisions, are read from the store. */
function isFromCache(verb: string, query: Asked["query"]): boolean {
  if (verb === "watch") return true;
  const match = query.text("resourceVersionMatch");
  if (match === "NotOlderThan") return true;
  if (match !== "") return false;
  const resourceVersion = query.text("resourceVersion");
  if (query.text("continue") !== "") return false;
  return !(Number(query.text("limit")) > 0 && resourceVersion !== "" && resourceVersion !== "0");
}

/** After a write its events go to the watchers; from ten watchers on that counts. */
function writeWork({ info }: Asked, maxSeats: number | undefined, { watches, onWatchCount }: WorkFacts): WorkEstimate {
  if (info.resource === "serviceaccounts" && info.subresource === "token") return oneSeat; // makes no event
  const count = watches.interestedIn(info);
  onWatchCount?.(count);
  if (count < watchesPerSeat) return oneSeat;
  const wanted = Math.ceil(count / watchesPerSeat);
  const finalSeats = Math.min(wanted, maxSeats ?? Infinity, maxSeatsPerWrite);
  return { initialSeats: 1, finalSeats, additionalMs: msPerSeat(seatsTimesMs(wanted, eventMs), finalSeats) };
}
