import type { FieldSet } from "./field-set.js";

/** One manager's fields, as an object's `metadata.managedFields` holds it. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  /** RFC 3339 in whole seconds. */
  readonly time?: string;
  readonly fieldsType?: "FieldsV1";
  readonly fieldsV1?: FieldSet;
  readonly subresource?: string;
}
