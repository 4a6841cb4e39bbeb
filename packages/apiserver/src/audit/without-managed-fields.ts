import { isJsonObject, stringifyJson } from "@coxswain/apimachinery/json";
import { parseStored } from "../cache/encoded-object.js";

const encoder = new TextEncoder();

/** The same object, list or table in JSON, with nothing about who manages which field. */
export function textWithoutManagedFields(text: string): string {
  const value: unknown = parseStored(encoder.encode(text));
  forget(value);
  if (isJsonObject(value)) {
    for (const item of listOf(value.items)) forget(item);
    for (const row of listOf(value.rows)) if (isJsonObject(row)) forget(row.object);
  }
  return stringifyJson(value);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function forget(value: unknown): void {
  if (isJsonObject(value) && isJsonObject(value.metadata)) delete value.metadata.managedFields;
}
