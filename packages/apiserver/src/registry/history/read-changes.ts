import type { FieldSelector } from "@coxswain/apimachinery/selector";
import type { ChangeQuery, Chronicle, ChronicleChange } from "@coxswain/storage/chronicle";
import type { KeyOwner, KeyOwners } from "../contract/key-owners.js";
import type { Change } from "./change.js";
import { changeObject, type IncludeObject, readObject } from "./change-object.js";
import { planQuery, selectsChange } from "./select-changes.js";

export interface ReadOptions {
  readonly owners: KeyOwners;
  /** "" for all. */
  readonly namespace: string;
  readonly fields: FieldSelector | undefined;
  readonly include: IncludeObject;
  /** Later than this revision. */
  readonly after?: number;
  /** Before this place: a change of an earlier page. */
  readonly before?: Place | undefined;
  mayRead(owner: KeyOwner, revision: number): Promise<boolean>;
}

export interface Place {
  readonly revision: number;
  readonly sub: number;
}

/** Changes that are selected and that the reader may see, newest first. */
export async function* readChanges(chronicle: Chronicle, options: ReadOptions): AsyncGenerator<Change, void> {
  const { owners, namespace, fields, include, after = 0, before, mayRead } = options;
  const objectOf = readOnce();
  const query = { ...planQuery(owners.kinds(), options), after, ...(before && { to: before.revision }) };
  for await (const { change, older } of withOlder(chronicle, query)) {
    if (before && change.revision === before.revision && (change.sub ?? 0) >= before.sub) continue;
    const owner = owners.of(change.key);
    if (namespace !== "" && owner.namespace !== namespace) continue;
    if (!(await mayRead(owner, change.revision))) continue;
    const shown = changeObject(change, await previousOf(chronicle, change, older), { owner, include, objectOf });
    if (selectsChange(fields, shown)) yield shown;
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
): AsyncGenerator<{ readonly change: ChronicleChange; readonly older?: ChronicleChange }, void> {
  const isOneKey = query.keys?.length === 1 && query.prefixes === undefined;
  let newer: ChronicleChange | undefined;
  for await (const portion of chronicle.changes(query))
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
