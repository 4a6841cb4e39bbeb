import { fieldErrorsText, fieldPath } from "@coxswain/apimachinery/field";
import { cloneJson } from "@coxswain/apimachinery/json";
import { goType } from "@coxswain/apimachinery/jsonpath";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { isObject, type JsonObject } from "@coxswain/apimachinery/structural-schema";
import { validateAnnotations, validateLabels } from "@coxswain/apimachinery/validation";
import { ConversionError } from "./conversion-error.js";

/** A webhook may change labels and annotations; all other metadata is what it was. @throws ConversionError */
export function restoreMetadata(original: unknown, converted: unknown): JsonObject {
  if (converted === undefined) throw new ConversionError("missing metadata in converted object");
  if (!isObject(converted))
    throw new ConversionError(`invalid metadata of type ${goType(converted)} in converted object`);
  const metadata: Record<string, unknown> = isObject(original) ? { ...cloneJson(original) } : {};
  for (const member of ["labels", "annotations"] as const) {
    const given = getOwn<unknown>(converted, member) ?? undefined;
    if (given === undefined) delete metadata[member];
    else metadata[member] = checkTexts(member, given, metadata[member]);
  }
  return metadata;
}

/** What did not change may be as wrong as it was. */
function checkTexts(member: "labels" | "annotations", given: unknown, before: unknown): JsonObject {
  if (!isObject(given))
    throw new ConversionError(`invalid metadata.${member} of type ${goType(given)} in converted object`);
  for (const [key, value] of ownEntries<unknown>(given))
    if (typeof value !== "string")
      throw new ConversionError(
        `metadata.${member}[${key}] must be a string, but is ${value === null ? "<nil>" : goType(value)} in converted object`,
      );
  const texts = given as Readonly<Record<string, string>>;
  if (isObject(before) && isSame(texts, before)) return given;
  const errors =
    member === "labels"
      ? validateLabels(texts, fieldPath("metadata", "labels"))
      : validateAnnotations(texts, fieldPath("metadata", "annotation"));
  const problem = fieldErrorsText(errors);
  if (problem !== undefined) throw new ConversionError(problem);
  return given;
}

const isSame = (texts: JsonObject, before: JsonObject): boolean =>
  Object.keys(texts).length === Object.keys(before).length &&
  ownEntries<unknown>(texts).every(([key, value]) => getOwn<unknown>(before, key) === value);
