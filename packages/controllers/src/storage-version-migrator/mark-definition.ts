import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { ControllerContext } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { type CachedMigration, isMigration } from "./plan.js";

const fieldManager = "migration-runner-controller";

async function definitionOf(
  { client }: ControllerContext,
  { spec }: CachedMigration,
): Promise<CustomResourceDefinition | undefined> {
  const { group, resource } = spec?.resource ?? { group: "", resource: "" };
  if (!group) return undefined;
  return client.apiextensions.v1.customresourcedefinitions().get(`${resource}.${group}`).catch(ignoreGone);
}

/** Sets in the definition of a custom resource that its objects are being migrated. */
export async function markDefinition(context: ControllerContext, migration: CachedMigration): Promise<void> {
  const definition = await definitionOf(context, migration);
  if (!definition) return;
  const message = `Migration ${migration.metadata?.name} is running`;
  await write(context, definition, { status: "True", reason: "MigrationRunning", message });
}

/**
 * Sets that they were. What is stored in other versions is then known to be nothing, unless the definition has changed since the
 * migration began.
 */
export async function unmarkDefinition(context: ControllerContext, migration: CachedMigration): Promise<void> {
  const definition = await definitionOf(context, migration);
  if (!definition) return;
  if (!isMigration(migration, "Succeeded"))
    return write(context, definition, {
      status: "False",
      reason: "MigrationFailed",
      message: "The migration has failed",
    });
  const marked = definition.status?.conditions?.find(({ type }) => type === "StorageMigrating");
  const isSame = marked !== undefined && (marked.observedGeneration ?? 0) === (definition.metadata?.generation ?? 0);
  const stored = isSame ? definition.spec.versions.find(({ storage }) => storage)?.name : undefined;
  const message = isSame
    ? "The migration has succeeded and the stored versions have been updated"
    : "The migration has succeeded but the stored versions have not been updated due to a generation mismatch";
  await write(context, definition, { status: "False", reason: "MigrationSucceeded", message, stored });
}

async function write(
  { client, runtime: { clock } }: ControllerContext,
  { metadata }: CustomResourceDefinition,
  about: { status: "True" | "False"; reason: string; message: string; stored?: string | undefined },
): Promise<void> {
  const { stored, ...condition } = about;
  const { name = "", resourceVersion = "", generation = 0 } = metadata ?? {};
  const marked = {
    type: "StorageMigrating",
    ...condition,
    lastTransitionTime: formatTime(clock.now()),
    observedGeneration: generation,
  };
  await client.apiextensions.v1.customresourcedefinitions().applyStatus(
    {
      // A definition that changed meanwhile is refused.
      metadata: { name, resourceVersion },
      status: { conditions: [marked], ...(stored !== undefined && { storedVersions: [stored] }) },
    },
    { fieldManager, force: true },
  );
}
