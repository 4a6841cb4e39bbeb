import type { DeepReadonly } from "@coxswain/api";
import type { Condition } from "@coxswain/api/meta/v1";
import type { StorageVersionMigration } from "@coxswain/api/storagemigration/v1beta1";

export type CachedMigration = DeepReadonly<StorageVersionMigration>;
export type MigrationConditions = readonly DeepReadonly<Condition>[];

/** "Running", "Succeeded" and "Failed". */
export const isMigration = ({ status }: CachedMigration, state: string): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === state && is === "True");

const isOver = (migration: CachedMigration): boolean =>
  isMigration(migration, "Succeeded") || isMigration(migration, "Failed");

/** A resource by its group and name, as keys of the queue are. */
export const resourceKey = ({ spec }: CachedMigration): string =>
  `${spec?.resource.group ?? ""}/${spec?.resource.resource ?? ""}`;

export type MigrationStep =
  /** Mark it as no longer running. */
  | { readonly kind: "finish"; readonly migration: CachedMigration }
  /** Mark it as running: it is the oldest, and no other one of its resource is. */
  | { readonly kind: "begin"; readonly migration: CachedMigration }
  /** Note up to which resourceVersion objects are to be written. */
  | { readonly kind: "checkpoint"; readonly migration: CachedMigration }
  | { readonly kind: "migrate"; readonly migration: CachedMigration; readonly upTo: string };

/** Pure: the next step for the migrations of one resource; undefined: all of them are over. */
export function nextStep(migrations: readonly CachedMigration[]): MigrationStep | undefined {
  const running = migrations.filter((migration) => isMigration(migration, "Running"));
  const finished = running.find(isOver);
  if (finished) return { kind: "finish", migration: finished };
  const [migration] = running;
  if (migration) {
    const upTo = migration.status?.resourceVersion;
    return upTo ? { kind: "migrate", migration, upTo } : { kind: "checkpoint", migration };
  }
  const [next] = migrations.filter((each) => !isOver(each)).sort(byAge);
  return next && { kind: "begin", migration: next };
}

function byAge({ metadata: a }: CachedMigration, { metadata: b }: CachedMigration): number {
  const text = (metadata: typeof a): string => `${metadata?.creationTimestamp ?? ""} ${metadata?.name ?? ""}`;
  return text(a) < text(b) ? -1 : 1;
}

/** Pure: the conditions with this one; one that is there with the same status stays as it is. */
export function withCondition(before: MigrationConditions | undefined, condition: Condition): Condition[] {
  const conditions = (before ?? []) as readonly Condition[];
  const old = conditions.find(({ type }) => type === condition.type);
  if (!old) return [...conditions, condition];
  return old.status === condition.status
    ? [...conditions]
    : conditions.map((each) => (each === old ? condition : each));
}

/** All of these must be possible. */
export const requiredVerbs = ["update", "patch", "list"] as const;
