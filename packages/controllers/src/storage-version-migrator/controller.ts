import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { carryOutStep, migratorName } from "./carry-out-step.js";
import { type CachedMigration, nextStep, resourceKey } from "./plan.js";

/** Writes the objects of a resource anew, so that all of them are stored in the present version; one migration of it at a time. */
export const storageVersionMigratorController: Controller = {
  name: migratorName,
  aliases: ["svm"],
  serviceAccount: migratorName,
  gates: ["StorageVersionMigrator"],
  start(context) {
    const migrations = context.informers.of("storagemigration", "v1beta1", "storageversionmigrations", {
      indexers: { resource: indexByResource },
    });
    const loop = createReconcileLoop(context, {
      name: migratorName,
      async reconcile(key, signal) {
        const step = nextStep(migrations.indexer.byIndex("resource", key));
        if (step) await carryOutStep(context, step, signal);
      },
    });
    loop.watchFor(migrations, (migration) => [resourceKey(migration)]);
    return loop;
  },
};

const indexByResource = (migration: CachedMigration): string[] => [resourceKey(migration)];
