import { type FieldError, type FieldPath, goJson, invalid, required, tooLong } from "@coxswain/apimachinery/field";
import { utf8Length } from "@coxswain/apimachinery/validation";

export const longestRawObject = 10 * 1024;

/** A JSON object that somebody else understands. Its length is counted without white space, which is not kept. */
export function checkRawObject(value: unknown, path: FieldPath, isStored: boolean): FieldError[] {
  if (value === undefined || value === null) return [required(path)];
  if (!isStored && utf8Length(goJson(value)) > longestRawObject) return [tooLong(path, longestRawObject)];
  return typeof value === "object" && !Array.isArray(value)
    ? []
    : [invalid(path, "<value omitted>", "must be a valid JSON object")];
}
