import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";

export const checkFileMode = (mode: number | undefined, path: FieldPath): FieldError[] =>
  mode !== undefined && (mode > 0o777 || mode < 0)
    ? [invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")]
    : [];
