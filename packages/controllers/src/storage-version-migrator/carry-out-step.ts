import type { Condition } from "@coxswain/api/meta/v1";
import type { StorageVersionMigration, StorageVersionMigrationStatus } from "@coxswain/api/storagemigration/v1beta1";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { ControllerContext } from "../controller/controller.js";
import { type PreferredResource, preferredResources } from "../discovery/preferred-resources.js";
import { markDefinition, unmarkDefinition } from "./mark-definition.js";
import { migrateObjects } from "./migrate-objects.js";
import { type CachedMigration, type MigrationStep, requiredVerbs, withCondition } from "./plan.js";

export const migratorName = "storage-version-migrator-controller";
/** So long a resource may be missing in discovery before its migration has failed, in milliseconds: it may be new. */
const discoveryGraceMs = 60_000;

/** Does what the next step of a migration is, and writes in its status that it was done. */
export async function carryOutStep(
  context: ControllerContext,
  step: MigrationStep,
  signal: AbortSignal,
): Promise<void> {
  const { migration } = step;
  if (step.kind === "finish") {
    await unmarkDefinition(context, migration);
    await setCondition(context, migration, {
      type: "Running",
      status: "False",
      reason: "MigrationCompleted",
      message: "Migration completed",
      observedGeneration: migration.metadata?.generation ?? 0,
    });
    return;
  }
  if (step.kind === "begin") {
    await markDefinition(context, migration);
    await setCondition(context, migration, {
      type: "Running",
      status: "True",
      reason: "MigrationRunning",
      message: "The migration is running",
    });
    return;
  }
  const resource = await find(context, migration);
  if (!resource) return;
  if (step.kind === "checkpoint") {
    const { resourceVersion = "" } = await context.client.metadata(resource).list({ limit: 1 }, signal);
    await (isComparable(resourceVersion)
      ? write(context, migration, { resourceVersion })
      : fail(
          context,
          migration,
          `latest resourceVersion for ${resource.group}/${resource.version}, Resource=${resource.resource} is not valid: ${JSON.stringify(resourceVersion)}`,
        ));
    return;
  }
  const problem = await migrateObjects(context.client, {
    resource,
    upTo: step.upTo,
    fieldManager: migratorName,
    signal,
  });
  if (problem !== undefined)
    await fail(context, migration, problem instanceof Error ? problem.message : String(problem));
  else
    await setCondition(context, migration, {
      type: "Succeeded",
      status: "True",
      reason: "StorageVersionMigrationSucceeded",
      message: "",
    });
}

/** Aggregated API servers may have versions that are no numbers. */
const isComparable = (resourceVersion: string): boolean => /^[1-9][0-9]*$/.test(resourceVersion);

function write(
  { client }: ControllerContext,
  migration: CachedMigration,
  change: StorageVersionMigrationStatus,
): Promise<unknown> {
  const copy = migration as StorageVersionMigration;
  return client.storagemigration.v1beta1
    .storageversionmigrations()
    .updateStatus({ ...copy, status: { ...copy.status, ...change } });
}

const setCondition = (
  context: ControllerContext,
  migration: CachedMigration,
  condition: Omit<Condition, "lastTransitionTime">,
) =>
  write(context, migration, {
    conditions: withCondition(migration.status?.conditions, {
      ...condition,
      lastTransitionTime: formatTime(context.runtime.clock.now()),
    }),
  });

const fail = (context: ControllerContext, migration: CachedMigration, why: string) =>
  setCondition(context, migration, {
    type: "Failed",
    status: "True",
    reason: "StorageVersionMigrationFailed",
    message: `migration encountered unhandled error: ${why}`,
  });

/** The resource as it is served; undefined: there is none, and the migration has failed for it. */
async function find(context: ControllerContext, migration: CachedMigration): Promise<PreferredResource | undefined> {
  const { group, resource } = migration.spec?.resource ?? { group: "", resource: "" };
  const surface = await context.discovery.fresh();
  const found = preferredResources(surface).find((each) => each.group === group && each.resource === resource);
  if (!found) {
    const created = parseTimeMs(migration.metadata?.creationTimestamp ?? "") ?? 0;
    if (created + discoveryGraceMs > context.runtime.clock.now())
      throw new Error("resource does not exist in our rest mapper, requeuing to attempt again");
    await fail(context, migration, "resource does not exist in discovery");
    return undefined;
  }
  if (requiredVerbs.every((verb) => found.verbs.includes(verb))) return found;
  await fail(
    context,
    migration,
    `resource "${found.group}/${found.version}, Resource=${found.resource}" does not support discovery operations: [${requiredVerbs.join(" ")}]`,
  );
  return undefined;
}
