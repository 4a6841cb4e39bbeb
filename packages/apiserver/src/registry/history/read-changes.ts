import type { FieldSelector } from "@coxswain/apimachinery/selector";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { ChangeQuery, Chronicle, ChronicleChange } from "@coxswain/storage/chronicle";
import type { KeyOwner, KeyOwners } from "../contract/key-owners.js";
import type { Change } from "./change.js";
import { changeObject, type IncludeObject, readObject } from "./change-object.js";
import { type GoneResource, mayBeSelected, planQuery, selectsChange } from "./select-changes.js";

export interface ReadOptions {
  readonly owners: KeyOwners;
  /** "" for all. */
  readonly namespace: string;
  readonly fields: FieldSelector | undefined;
  /** Of those that the selected changes may be of. */
  readonly gone: readonly GoneResource[];
  readonly include: IncludeObject;
  /** Later than this revision. */
  readonly after?: number;
  /** Up to this revision. @default the newest */
  readonly to?: number;
  /** Before this place: a change of an earlier page. */
  readonly before?: Place | undefined;
  readonly scheduler: Scheduler;
  /** Ends the reading: the client is gone. */
  readonly signal: AbortSignal;
  mayRead(owner: KeyOwner, revision: number): Promise<boolean>;
  /** What of a change's causes the reader may see. */
  readableCauses(change: Change): Promise<Change>;
}

/** To read what stood there before, and to compare. */
export const microsPerChange = 100;

export interface Place {
  readonly revision: number;
  readonly sub: number;
}

/** Changes that are selected and that the reader may see, newest first. */
export async function* readChanges(chronicle: Chronicle, options: ReadOptions): AsyncGenerator<Change, void> {
  const { owners, namespace, fields, include, after = 0, before, mayRead, scheduler, signal } = options;
  const objectOf = readOnce();
  const to = before?.revision ?? options.to;
  const query = { ...planQuery(owners.kinds(), options), after, ...(to !== undefined && { to }) };
  for await (const { change, older } of withOlder(chronicle, query, signal)) {
    if (before && change.revision === before.revision && (change.sub ?? 0) >= before.sub) continue;
    const owner = owners.of(change.key);
    if (namespace !== "" && owner.namespace !== namespace) continue;
    if (!mayBeSelected(fields, change, owner) || !(await mayRead(owner, change.revision))) continue;
    const shown = changeObject(change, await previousOf(chronicle, change, older), { owner, include, objectOf });
    if (selectsChange(fields, shown)) yield await options.readableCauses(shown);
    const pause = scheduler.yield(microsPerChange);
    if (pause) await pause;
    signal.throwIfAborted();
  }
}

/** What one change left is what the next one found: it is parsed once. */
function readOnce(): typeof readObject {
  const known = new WeakMap<ChronicleChange, { readonly object: ReturnType<typeof readObject> }>();
  return (change) => {
    let read = known.get(change);
    if (!read) known.set(change, (read = { object: readObject(change) }));
    return read.object;
  };
}

/** Changes, newest first. Of a single key the next one is what stood there before: it need not be searched for. */
export async function* withOlder(
  chronicle: Chronicle,
  query: ChangeQuery,
  signal: AbortSignal,
): AsyncGenerator<{ readonly change: ChronicleChange; readonly older?: ChronicleChange }, void> {
  const isOneKey = query.keys?.length === 1 && query.prefixes === undefined;
  let newer: ChronicleChange | undefined;
  for await (const portion of chronicle.changes(query, signal))
    for (const change of portion) {
      if (!isOneKey) yield { change };
      else if (newer) yield { change: newer, older: change };
      newer = change;
    }
  if (isOneKey && newer) yield { change: newer };
}

/** What stood there before; undefined where nothing did, or a gap lies between. `older`: the change before it, where it is known. */
export async function previousOf(
  chronicle: Chronicle,
  { key, revision, version }: ChronicleChange,
  older?: ChronicleChange,
): Promise<ChronicleChange | undefined> {
  if (version === 1) return undefined;
  const found = older ?? (await chronicle.lastChange(key, revision - 1));
  const isLost = chronicle.reach().gaps.some((gap) => found && gap.to > found.revision && gap.after < revision - 1);
  return isLost ? undefined : found;
}
