import { quoteGo } from "@coxswain/apimachinery/field";
import { badRequest } from "@coxswain/apimachinery/status";
import { checkPathSegmentName } from "@coxswain/apimachinery/validation";
import type { Target } from "./target.js";

/** The name in a path may be anything that a key of the store can hold; "" is no name. Throws 400 for the others, and where the namespace is missing. */
export function checkPathName({ kind, namespace, name }: Target): void {
  if (name === "") return;
  checkPathNamespace({ kind, namespace });
  checkKeyName(name);
}

/** Whether a key of the store can hold the name. Throws 400. */
export function checkKeyName(name: string): void {
  const problems = checkPathSegmentName(name, false);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quoteGo(name)}: ${problems.join(";")}`);
}

export function checkPathNamespace({ kind, namespace }: Pick<Target, "kind" | "namespace">): void {
  if (kind.namespaced && namespace === "") throw badRequest("Namespace parameter required.");
}
