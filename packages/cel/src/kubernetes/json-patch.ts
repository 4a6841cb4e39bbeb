import { declareFunction } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { stringType } from "../types/type.js";
import { makesText } from "./text-costs.js";

/** A key as part of a JSON Pointer (RFC 6901). */
const escapeKey = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** `jsonpatch.escapeKey`, for mutating admission policies. Since 1.32. */
export const jsonPatchLibrary: Library = {
  name: "kubernetes.jsonpatch",
  functions: [
    declareFunction("jsonpatch.escapeKey", {
      id: "string_jsonpatch_escapeKey_string",
      args: [stringType],
      result: stringType,
      implementation: (key) => escapeKey(key as string),
      ...makesText,
    }),
  ],
};
