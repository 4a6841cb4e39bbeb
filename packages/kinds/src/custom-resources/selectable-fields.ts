import { parseJsonPath } from "@coxswain/apimachinery/jsonpath";
import type { SelectableFields } from "../definition/kind-definition.js";
import type { CustomObject } from "./custom-object.js";
import { firstOf } from "./first-value.js";
import type { VersionSpec } from "./version-spec.js";

/** The fields that a version lets selectors name; undefined for none. */
export function customSelectableFields({
  selectableFields = [],
}: Pick<VersionSpec, "selectableFields">): SelectableFields<CustomObject> | undefined {
  if (selectableFields.length === 0) return undefined;
  const fields = selectableFields.map(({ jsonPath }) => ({
    name: jsonPath.replace(/^\./, ""),
    path: parseJsonPath(`{${jsonPath}}`), // validation took care that it is one
  }));
  return {
    names: fields.map(({ name }) => name),
    values: (object) => Object.fromEntries(fields.map(({ name, path }) => [name, textOf(firstOf(object, path))])),
  };
}

const textOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value));
