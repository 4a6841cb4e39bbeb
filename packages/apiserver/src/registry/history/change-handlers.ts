import { badRequest, methodNotSupported, notFound, resourceExpired } from "@coxswain/apimachinery/status";
import type { CacheEntry } from "../../cache/cache-entry.js";
import { encodedObject } from "../../cache/encoded-object.js";
import { resourceOf } from "../../catalogue/resource-of.js";
import { readListOptions } from "../../endpoints/list-options.js";
import { parseRevision } from "../../endpoints/resource-version.js";
import type { RequestContext } from "../../request/request-context.js";
import type { History } from "../contract/history.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import { bytesOfChange, entryOf } from "./change-entry.js";
import { changeObject, type IncludeObject } from "./change-object.js";
import { goneResources } from "./gone-resources.js";
import { changeKind } from "./history-kinds.js";
import { type Place, previousOf, type ReadOptions, readChanges } from "./read-changes.js";
import { type Reader, readableCauses, readableChanges } from "./readable-changes.js";
import { isAll } from "./select-changes.js";
import { isLost, watchChanges } from "./watch-changes.js";

/** A list without a limit is one page, too: a history has no end. */
const pageSize = 500;
const mostPerPage = 5000;
/** A page ends behind so much: a few thousand changes of a large object, with what stood there before, would fill the memory. */
const bytesPerPage = 16 * 1024 * 1024;

export const handleChangeGet: RegistryHandler = async (deps, context, { namespace, name }) => {
  const chronicle = await historyOf(deps).chronicle();
  const place = placeOf(name);
  const mayRead = readableChanges({ ...deps, chronicle }, { user: context.user, verb: "get" });
  const withReadable = readableCauses(deps.authorizer, context.user);
  if (place)
    for await (const portion of chronicle.changes({ to: place.revision, after: place.revision - 1 }, context.signal))
      for (const change of portion) {
        const owner = deps.keyOwners.of(change.key);
        if ((change.sub ?? 0) !== place.sub || owner.namespace !== namespace) continue;
        if (!(await mayRead(owner, change.revision))) continue;
        const shown = changeObject(change, await previousOf(chronicle, change), { owner, include: includeOf(context) });
        const object = encodedObject(bytesOfChange(await withReadable(shown)));
        return { as: "object", code: 200, kind: changeKind, object };
      }
  throw notFound(resourceOf(changeKind), name);
};

export const handleChangeList: RegistryHandler = async (deps, context, { kind }) => {
  const chronicle = await historyOf(deps).chronicle();
  const options = readListOptions(context, kind);
  const limit = Math.min(options.limit || pageSize, mostPerPage);
  const entries: CacheEntry[] = [];
  let last: Place | undefined;
  let bytes = 0;
  const before = options.continueToken === "" ? undefined : decodePlace(options.continueToken);
  const read = await readOptions(deps, context, { verb: "list", user: context.user });
  for await (const change of readChanges(chronicle, { ...read, before, signal: context.signal })) {
    if (entries.length === limit || bytes >= bytesPerPage) {
      const continueToken = encodePlace(last!);
      return { as: "list", kind, resourceVersion: String(chronicle.reach().newest), entries, continueToken };
    }
    const entry = entryOf(change);
    entries.push(entry);
    bytes += entry.length;
    last = placeOf(change.metadata.name ?? "");
  }
  return { as: "list", kind, resourceVersion: String(chronicle.reach().newest), entries };
};

export const handleChangeWatch: RegistryHandler = async (deps, context, { kind }) => {
  const history = historyOf(deps);
  const chronicle = await history.chronicle();
  const options = readListOptions(context, kind);
  const asked = parseRevision(options.resourceVersion);
  const { newest, oldest } = chronicle.reach();
  const after = asked === 0 ? newest : asked;
  const read = await readOptions(deps, context, { verb: "watch", user: context.user });
  return {
    as: "watch",
    kind,
    timeoutMs: watchMs(deps, options),
    bookmarks: options.allowWatchBookmarks,
    refusal: isLost(chronicle, after)
      ? resourceExpired(`too old resource version: ${after} (${oldest?.revision ?? 0})`)
      : undefined,
    open: (sink) => watchChanges(history, { ...read, after }, sink),
  };
};

/** As long as the client asks, else as long as any watch. */
export const watchMs = (
  { minWatchMs, runtime }: RegistryDeps,
  { timeoutSeconds }: ReturnType<typeof readListOptions>,
): number => (timeoutSeconds ? timeoutSeconds * 1000 : Math.trunc(minWatchMs * (1 + runtime.random.next())));

/** What is read-only and made by the server is neither written nor deleted. */
export const refuseHistoryVerb: RegistryHandler = (_deps, { info }, { kind }) => {
  throw methodNotSupported(resourceOf(kind), info.verb);
};

export function historyOf({ history }: RegistryDeps): History {
  if (!history) throw new Error("history is served, but not kept");
  return history;
}

async function readOptions(
  deps: RegistryDeps,
  context: RequestContext,
  reader: Reader,
): Promise<Omit<ReadOptions, "signal">> {
  const { selection } = readListOptions(context, changeKind);
  const chronicle = await historyOf(deps).chronicle();
  const namespace = context.info.namespace || selection.namespace;
  const gone = isAll({ namespace, fields: selection.fields })
    ? []
    : await goneResources(chronicle, deps.keyOwners.kinds(), context.signal);
  return {
    owners: deps.keyOwners,
    namespace,
    fields: selection.fields,
    gone,
    include: includeOf(context),
    scheduler: context.scheduler,
    mayRead: readableChanges({ ...deps, chronicle }, reader),
    readableCauses: readableCauses(deps.authorizer, reader.user),
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
