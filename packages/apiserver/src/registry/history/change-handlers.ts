import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { badRequest, methodNotSupported, notFound, resourceExpired } from "@coxswain/apimachinery/status";
import { type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { createDelivery } from "../../cache/cache-event.js";
import { encodedObject } from "../../cache/encoded-object.js";
import type { Watcher, WatchSink } from "../../cache/watcher.js";
import { resourceOf } from "../../catalogue/resource-of.js";
import { readListOptions } from "../../endpoints/list-options.js";
import { parseRevision } from "../../endpoints/resource-version.js";
import type { RequestContext } from "../../request/request-context.js";
import type { History } from "../contract/history.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import type { Change } from "./change.js";
import { changeObject, type IncludeObject } from "./change-object.js";
import { changeKind } from "./history-kinds.js";
import { type Place, previousOf, type ReadOptions, readChanges } from "./read-changes.js";
import { type Reader, readableChanges } from "./readable-changes.js";

/** A list without a limit is one page, too: a history has no end. */
const pageSize = 500;
const mostPerPage = 5000;

export const handleChangeGet: RegistryHandler = async (deps, context, { namespace, name }) => {
  const chronicle = await historyOf(deps).chronicle();
  const place = placeOf(name);
  const mayRead = readableChanges({ ...deps, chronicle }, { user: context.user, verb: "get" });
  if (place)
    for await (const portion of chronicle.changes({ to: place.revision, after: place.revision - 1 }))
      for (const change of portion) {
        const owner = deps.keyOwners.of(change.key);
        if ((change.sub ?? 0) !== place.sub || owner.namespace !== namespace) continue;
        if (!(await mayRead(owner, change.revision))) continue;
        const shown = changeObject(change, await previousOf(chronicle, change), { owner, include: includeOf(context) });
        return { as: "object", code: 200, kind: changeKind, object: encodedObject(bytesOfChange(shown)) };
      }
  throw notFound(resourceOf(changeKind), name);
};

export const handleChangeList: RegistryHandler = async (deps, context, { kind }) => {
  const chronicle = await historyOf(deps).chronicle();
  const options = readListOptions(context, kind);
  const limit = Math.min(options.limit || pageSize, mostPerPage);
  const entries: CacheEntry[] = [];
  let last: Place | undefined;
  const before = options.continueToken === "" ? undefined : decodePlace(options.continueToken);
  const read = await readOptions(deps, context, { verb: "list", user: context.user });
  for await (const change of readChanges(chronicle, { ...read, before })) {
    if (entries.length === limit) {
      const continueToken = encodePlace(last!);
      return { as: "list", kind, resourceVersion: String(chronicle.reach().newest), entries, continueToken };
    }
    entries.push(entryOf(change));
    last = placeOf(change.metadata.name ?? "");
  }
  return { as: "list", kind, resourceVersion: String(chronicle.reach().newest), entries };
};

export const handleChangeWatch: RegistryHandler = async (deps, context, { kind }) => {
  const history = historyOf(deps);
  const chronicle = await history.chronicle();
  const options = readListOptions(context, kind);
  const asked = parseRevision(options.resourceVersion);
  const { newest, oldest, gaps } = chronicle.reach();
  const after = asked === 0 ? newest : asked;
  const isLost = after < (oldest?.revision ?? 0) || gaps.some((gap) => gap.to > after);
  const read = await readOptions(deps, context, { verb: "watch", user: context.user });
  return {
    as: "watch",
    kind,
    timeoutMs: watchMs(deps, options),
    bookmarks: options.allowWatchBookmarks,
    refusal: isLost ? resourceExpired(`too old resource version: ${after} (${oldest?.revision ?? 0})`) : undefined,
    open: (sink) => openWatch(history, { ...read, after }, sink),
  };
};

/** As long as the client asks, else as long as any watch. */
export const watchMs = (
  { minWatchMs, runtime }: RegistryDeps,
  { timeoutSeconds }: ReturnType<typeof readListOptions>,
): number => (timeoutSeconds ? timeoutSeconds * 1000 : Math.trunc(minWatchMs * (1 + runtime.random.next())));

/** Reads what was recorded since the last time, whenever something was. */
function openWatch(history: History, read: ReadOptions & { after: number }, sink: WatchSink): Watcher {
  let { after } = read;
  let isOver = false;
  let isReading = false;
  let isMore = false;
  async function deliver(): Promise<void> {
    isReading = true;
    const chronicle = await history.chronicle();
    while (isMore) {
      isMore = false;
      const upTo = chronicle.reach().newest;
      const found: Change[] = [];
      for await (const change of readChanges(chronicle, { ...read, after })) found.unshift(change);
      after = Math.max(after, upTo, found.at(-1)?.revision ?? 0);
      if (isOver) return;
      const events = found.map((change) =>
        createDelivery({ type: "ADDED", entry: entryOf(change), previous: undefined, revision: change.revision }),
      );
      if (events.length > 0) await sink.deliver(events);
    }
    isReading = false;
  }
  const stop = (reason: "stopped" | "closed"): void => {
    if (isOver) return;
    isOver = true;
    unsubscribe();
    sink.end(reason);
  };
  const wake = (): void => {
    isMore = !isOver;
    if (!isReading && isMore) deliver().catch(() => stop("closed")); // the client lists and watches again
  };
  const unsubscribe = history.onRecorded(wake);
  wake();
  return {
    stop: () => stop("stopped"),
    sendBookmark() {
      if (!isOver && !isReading) sink.bookmark(after, false);
    },
  };
}

/** What is read-only and made by the server is neither written nor deleted. */
export const refuseHistoryVerb: RegistryHandler = (_deps, { info }, { kind }) => {
  throw methodNotSupported(resourceOf(kind), info.verb);
};

export function historyOf({ history }: RegistryDeps): History {
  if (!history) throw new Error("history is served, but not kept");
  return history;
}

async function readOptions(deps: RegistryDeps, context: RequestContext, reader: Reader): Promise<ReadOptions> {
  const { selection } = readListOptions(context, changeKind);
  const chronicle = await historyOf(deps).chronicle();
  return {
    owners: deps.keyOwners,
    namespace: context.info.namespace || selection.namespace,
    fields: selection.fields,
    include: includeOf(context),
    mayRead: readableChanges({ ...deps, chronicle }, reader),
  };
}

const includes: readonly string[] = ["", "Before", "After", "Both"];

/** Tables have an option of the same name, with values of their own. */
function includeOf({ query }: RequestContext): IncludeObject {
  const asked = query.text("includeObject");
  if (asked === "None" || asked === "Metadata" || asked === "Object") return "";
  if (!includes.includes(asked)) throw badRequest(`includeObject must be Before, After or Both, not "${asked}"`);
  return asked as IncludeObject;
}

function placeOf(name: string): Place | undefined {
  const [, revision, sub = "0"] = /^r(\d{1,15})(?:-(\d{1,6}))?$/.exec(name) ?? [];
  return revision === undefined ? undefined : { revision: Number(revision), sub: Number(sub) };
}

const encodePlace = ({ revision, sub }: Place): string => Buffer.from(`r${revision}-${sub}`).toString("base64url");

function decodePlace(token: string): Place {
  const place = placeOf(Buffer.from(token, "base64url").toString());
  if (!place) throw badRequest("continue key is not valid");
  return place;
}

const bytesOfChange = (change: Change): Uint8Array => encodeJson(walk(change, changeKind.schema), changeKind.schema);

const entryOf = (change: Change): CacheEntry =>
  withBytes(
    {
      key: `${change.metadata.namespace ?? ""}/${change.metadata.name ?? ""}`,
      revision: change.revision,
      namespace: change.metadata.namespace ?? "",
      labels: undefined,
      fields: undefined,
      stale: false,
    },
    bytesOfChange(change),
  );
