import { quoteGo } from "../field/index.js";

/** A field of a selector, as a version names it and as the hub does. */
export interface FieldLabel {
  readonly field: string;
  readonly value: string;
}

/** Renames a selectable field of one version. @throws FieldLabelError for a field that cannot be selected by */
export type FieldLabelConversion = (field: string, value: string) => FieldLabel;

/** A field that cannot be selected by; the API server answers with a bad request. */
export class FieldLabelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FieldLabelError";
  }
}

/** What kinds without fields of their own accept. */
export const convertMetadataLabel: FieldLabelConversion = (field, value) => {
  if (field === "metadata.name" || field === "metadata.namespace") return { field, value };
  throw new FieldLabelError(
    `${quoteGo(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
};

/** Accepts the fields given (metadata must be among them where wanted), under the names given. */
export function createFieldLabelConversion(
  fields: readonly string[],
  renamed: ReadonlyMap<string, string> = new Map(),
): FieldLabelConversion {
  const known = new Set(fields);
  return (field, value) => {
    const name = renamed.get(field) ?? field;
    if (!known.has(name)) throw new FieldLabelError(`field label not supported: ${field}`);
    return { field: name, value };
  };
}
