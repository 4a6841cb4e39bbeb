import { wasGivenEmpty } from "@coxswain/apimachinery/json";

interface WithMetadata {
  metadata?: { managedFields?: unknown };
}

/** An empty list of managed fields is a request (forget them all) that the canonical form does not know: it is put back. */
export function keepEmptiedManagedFields(object: unknown): void {
  const { metadata } = (object ?? {}) as WithMetadata;
  if (metadata && wasGivenEmpty(metadata, "managedFields")) metadata.managedFields = [];
}
