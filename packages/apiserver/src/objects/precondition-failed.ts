import { conflict, type StatusError } from "@coxswain/apimachinery/status";
import { objectKey } from "../cache/object-key.js";
import { resourceOf } from "../catalogue/resource-of.js";
import type { WriteScope } from "./write-scope.js";

/** A dry run only plays the store, and does not know where in it everything is. */
function keyOf({ kind, namespace, name, dryRun }: WriteScope): string {
  const key = objectKey(kind, namespace, name);
  return dryRun ? key.replace(/^\/registry/, "") : key;
}

/** A precondition that held when the request came in and no longer does; the words are those of upstream's store. */
export const preconditionFailed = (scope: WriteScope, what: string): StatusError =>
  conflict(
    resourceOf(scope.version ?? scope.kind),
    scope.name,
    `StorageError: invalid object, Code: 4, Key: ${keyOf(scope)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what}`,
  );
