import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { isNotFound, statusCause } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { SliceChanges } from "./slice-plan.js";
import type { SliceTracker } from "./slice-tracker.js";

export type SliceOperation = "create" | "update" | "delete";

export interface WriteSlicesOptions {
  readonly client: Client;
  readonly tracker: SliceTracker;
  readonly namespace: string;
  /** What the slices are made for, in errors: "Service default/web". */
  readonly owner: string;
  /** Whether the owner is being deleted: nothing is created then, or the garbage collector would never end. */
  readonly isOwnerGoing: boolean;
  /** Called after each write. */
  readonly onWrite: (operation: SliceOperation) => void;
}

/** Creates, updates and deletes, in this order, so that no endpoint is missing meanwhile. */
export async function writeSlices(changes: SliceChanges, options: WriteSlicesOptions): Promise<void> {
  const { client, tracker, namespace, owner, onWrite } = options;
  const slices = client.discovery.v1.endpointslices(namespace);
  const failed =
    (what: string) =>
    (error: unknown): never => {
      throw new Error(`failed to ${what} for ${owner}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    };
  for (const slice of options.isOwnerGoing ? [] : changes.create) {
    const created = await slices.create(slice as EndpointSlice).catch((error: unknown) => {
      // Every creation fails until the namespace is gone, and takes the owner with it.
      if (statusCause(error, "NamespaceTerminating")) return undefined;
      return failed("create EndpointSlice")(error);
    });
    if (created === undefined) return;
    tracker.wrote(created);
    onWrite("create");
  }
  for (const slice of changes.update) {
    const updated = await slices
      .update(slice as EndpointSlice)
      .catch(failed(`update ${slice.metadata?.name} EndpointSlice`));
    tracker.wrote(updated);
    onWrite("update");
  }
  for (const slice of changes.remove) {
    const name = slice.metadata?.name ?? "";
    await slices.delete(name).catch((error: unknown) => {
      if (!isNotFound(error)) failed(`delete ${name} EndpointSlice`)(error);
    });
    tracker.deleted(slice);
    onWrite("delete");
  }
}
