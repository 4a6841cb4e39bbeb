import type { FieldSelector } from "@coxswain/apimachinery/selector";
import type { Chronicle, ChronicleChange } from "@coxswain/storage/chronicle";
import type { KeyOwner, KeyOwners } from "../contract/key-owners.js";
import type { Change } from "./change.js";
import { changeObject, type IncludeObject } from "./change-object.js";
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
  const query = { ...planQuery(owners.kinds(), options), after, ...(before && { to: before.revision }) };
  for await (const portion of chronicle.changes(query)) {
    for (const change of portion) {
      if (before && change.revision === before.revision && (change.sub ?? 0) >= before.sub) continue;
      const owner = owners.of(change.key);
      if (namespace !== "" && owner.namespace !== namespace) continue;
      if (!(await mayRead(owner, change.revision))) continue;
      const shown = changeObject(change, await previousOf(chronicle, change), { owner, include });
      if (selectsChange(fields, shown)) yield shown;
    }
  }
}

/** What stood there before; undefined where nothing did, or a gap lies between. */
export async function previousOf(
  chronicle: Chronicle,
  { key, revision, version }: ChronicleChange,
): Promise<ChronicleChange | undefined> {
  if (version === 1) return undefined;
  const found = await chronicle.lastChange(key, revision - 1);
  const isLost = chronicle.reach().gaps.some((gap) => found && gap.to > found.revision && gap.after < revision - 1);
  return isLost ? undefined : found;
}
