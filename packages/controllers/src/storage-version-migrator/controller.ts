import type { Condition } from "@coxswain/api/meta/v1";
import type { StorageVersionMigration, StorageVersionMigrationStatus } from "@coxswain/api/storagemigration/v1beta1";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { type PreferredResource, preferredResources } from "../discovery/preferred-resources.js";
import { markDefinition, unmarkDefinition } from "./mark-definition.js";
import { migrateObjects } from "./migrate-objects.js";
import { type CachedMigration, nextStep, requiredVerbs, resourceKey, withCondition } from "./plan.js";

const name = "storage-version-migrator-controller";
/** So long a resource may be missing in discovery before its migration has failed, in milliseconds: it may be new. */
const discoveryGraceMs = 60_000;

/** Writes the objects of a resource anew, so that all of them are stored in the present version; one migration of it at a time. */
export const storageVersionMigratorController: Controller = {
  name,
  aliases: ["svm"],
  serviceAccount: name,
  gates: ["StorageVersionMigrator"],
  start(context) {
    const { client, informers, runtime } = context;
    const migrations = informers.of("storagemigration", "v1beta1", "storageversionmigrations", {
      indexers: { resource: indexByResource },
    });
    const objects = client.storagemigration.v1beta1.storageversionmigrations();

    const write = (migration: CachedMigration, change: StorageVersionMigrationStatus): Promise<unknown> => {
      const copy = migration as StorageVersionMigration;
      return objects.updateStatus({ ...copy, status: { ...copy.status, ...change } });
    };
    const setCondition = (migration: CachedMigration, condition: Omit<Condition, "lastTransitionTime">) =>
      write(migration, {
        conditions: withCondition(migration.status?.conditions, {
          ...condition,
          lastTransitionTime: formatTime(runtime.clock.now()),
        }),
      });
    const fail = (migration: CachedMigration, why: string) =>
      setCondition(migration, {
        type: "Failed",
        status: "True",
        reason: "StorageVersionMigrationFailed",
        message: `migration encountered unhandled error: ${why}`,
      });

    /** The resource as it is served; undefined: there is none, and the migration has failed for it. */
    async function find(migration: CachedMigration): Promise<PreferredResource | undefined> {
      const { group, resource } = migration.spec?.resource ?? { group: "", resource: "" };
      const surface = await context.discovery.fresh();
      const found = preferredResources(surface).find((each) => each.group === group && each.resource === resource);
      if (!found) {
        const created = parseTimeMs(migration.metadata?.creationTimestamp ?? "") ?? 0;
        if (created + discoveryGraceMs > runtime.clock.now())
          throw new Error("resource does not exist in our rest mapper, requeuing to attempt again");
        await fail(migration, "resource does not exist in discovery");
        return undefined;
      }
      if (requiredVerbs.every((verb) => found.verbs.includes(verb))) return found;
      await fail(
        migration,
        `resource "${found.group}/${found.version}, Resource=${found.resource}" does not support discovery operations: [${requiredVerbs.join(" ")}]`,
      );
      return undefined;
    }

    const loop = createReconcileLoop(context, {
      name,
      async reconcile(key, signal) {
        const step = nextStep(migrations.indexer.byIndex("resource", key));
        if (!step) return;
        const { migration } = step;
        if (step.kind === "finish") {
          await unmarkDefinition(context, migration);
          await setCondition(migration, {
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
          await setCondition(migration, {
            type: "Running",
            status: "True",
            reason: "MigrationRunning",
            message: "The migration is running",
          });
          return;
        }
        const resource = await find(migration);
        if (!resource) return;
        if (step.kind === "checkpoint") {
          const { resourceVersion = "" } = await client.metadata(resource).list({ limit: 1 }, signal);
          await (isComparable(resourceVersion)
            ? write(migration, { resourceVersion })
            : fail(
                migration,
                `latest resourceVersion for ${resource.group}/${resource.version}, Resource=${resource.resource} is not valid: ${JSON.stringify(resourceVersion)}`,
              ));
          return;
        }
        const problem = await migrateObjects(client, { resource, upTo: step.upTo, fieldManager: name, signal });
        if (problem !== undefined) await fail(migration, problem instanceof Error ? problem.message : String(problem));
        else
          await setCondition(migration, {
            type: "Succeeded",
            status: "True",
            reason: "StorageVersionMigrationSucceeded",
            message: "",
          });
      },
    });
    loop.watchFor(migrations, (migration) => [resourceKey(migration)]);
    return loop;
  },
};

/** Aggregated API servers may have versions that are no numbers. */
const isComparable = (resourceVersion: string): boolean => /^[1-9][0-9]*$/.test(resourceVersion);

const indexByResource = (migration: CachedMigration): string[] => [resourceKey(migration)];
