import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import type { IntOrString } from "@coxswain/apimachinery/int-or-string";
import { checkPortName, checkPortNumber } from "@coxswain/apimachinery/validation";

export const checkPortNumberOrName = (port: IntOrString, path: FieldPath): FieldError[] =>
  (typeof port === "number" ? checkPortNumber(port) : checkPortName(port)).map((problem) =>
    invalid(path, port, problem),
  );
