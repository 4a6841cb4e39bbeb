import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { compareResourceVersions, ResourceVersionError } from "@coxswain/apimachinery/resource-version";
import {
  isConflict,
  isInternalError,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isStatusError,
  isTimeout,
  isTooManyRequests,
} from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { PreferredResource } from "../discovery/preferred-resources.js";

/** Errors that another try may not meet. What is no answer of a server is one of the connection. */
const isRetriable = (error: unknown): boolean =>
  !isStatusError(error) ||
  [isServerTimeout, isTooManyRequests, isServiceUnavailable, isInternalError, isTimeout].some((is) => is(error));

export interface MigrateOptions {
  readonly resource: PreferredResource;
  /** Objects that were written later are in the new version already. */
  readonly upTo: string;
  readonly fieldManager: string;
  readonly signal: AbortSignal;
}

/**
 * Writes every object of the resource anew, without a change: the server stores it in its present version then.
 * Answers why that is impossible; undefined: it is done. @throws what another try may not meet
 */
export async function migrateObjects(
  client: Client,
  { resource, upTo, fieldManager, signal }: MigrateOptions,
): Promise<unknown> {
  const type = { apiVersion: formatGroupVersion(resource), kind: resource.kind };
  for await (const { metadata } of client.metadata(resource).items({}, { signal })) {
    const { name = "", namespace, uid = "", resourceVersion = "" } = metadata ?? {};
    try {
      if (compareResourceVersions(resourceVersion, upTo) > 0) continue;
      // With UID and resourceVersion: one that was deleted must not be created, nor one that changed be changed.
      await client
        .dynamic<object>(resource, namespace || undefined)
        .apply({ ...type, metadata: { name, uid, resourceVersion } } as never, { fieldManager });
    } catch (error) {
      // Versions of a server that does not count: no later try will know which objects are older.
      if (error instanceof ResourceVersionError) return error;
      if (isConflict(error) || isNotFound(error)) continue;
      if (isRetriable(error)) throw error;
      return error;
    }
  }
  return undefined;
}
