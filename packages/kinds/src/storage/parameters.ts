import { type FieldError, type FieldPath, invalid, required, tooLong } from "@coxswain/apimachinery/field";
import { ownEntries } from "@coxswain/apimachinery/own";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { checkQualifiedNameAt } from "../checks/field-errors.js";

const mostEntries = 512;
const mostBytes = 256 * 1024;

/** Who makes the volumes of a class. */
export const checkProvisioner = (name: string, path: FieldPath): readonly FieldError[] =>
  name === "" ? [required(path)] : checkQualifiedNameAt(name.toLowerCase(), path);

/** Parameters of a class for the provisioner of its volumes. */
export function checkParameters(
  parameters: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const entries = ownEntries(parameters);
  if (entries.length > mostEntries) return [tooLong(path, mostEntries)];
  const errors = entries.filter(([key]) => key === "").map(([key]) => invalid(path, key, "field can not be empty."));
  const size = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  return size > mostBytes ? [...errors, tooLong(path, mostBytes)] : errors;
}
