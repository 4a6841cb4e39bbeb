import { getOwn } from "../own/index.js";
import { goJsonKind } from "../text/index.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { malformedPatch } from "./patch-errors.js";

const known: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/** The operations of a patch; 400 where it is no list of operations, in the words of Go's decoder. */
export function readOperations(patch: unknown): JsonObject[] {
  if (patch === null || patch === undefined) return [];
  if (!isList(patch))
    throw undecodable(`json: cannot unmarshal ${goJsonKind(patch)} into Go value of type []handlers.jsonPatchOp`);
  return patch.map((operation) => {
    if (operation === null) return {};
    if (!isObject(operation))
      throw undecodable(`json: cannot unmarshal ${goJsonKind(operation)} into Go value of type handlers.jsonPatchOp`);
    for (const name of ["op", "path", "from"]) {
      const value = getOwn<unknown>(operation, name);
      if (value !== undefined && value !== null && typeof value !== "string") {
        throw undecodable(
          `json: cannot unmarshal ${goJsonKind(value)} into Go struct field jsonPatchOp.${name} of type string`,
        );
      }
    }
    return operation;
  });
}

/** Members that no operation has, as strict field validation words them. */
export function unknownOperationFields(patch: unknown): string[] {
  return readOperations(patch).flatMap((operation, index) =>
    Object.keys(operation)
      .filter((name) => !known.has(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`),
  );
}

const undecodable = (text: string): Error => malformedPatch(`error decoding patch: ${text}`);
