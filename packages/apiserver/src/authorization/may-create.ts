import { internalError } from "@coxswain/apimachinery/status";
import type { RequestContext } from "../request/request-context.js";
import type { Authorizer } from "./attributes.js";
import { forbiddenError } from "./forbidden-error.js";
import { attributesOf } from "./request-attributes.js";

/** A PUT or an apply that turns out to create needs the right to create, too. Asked at most once for a request. */
export function mayCreate(authorizer: Authorizer, context: RequestContext): () => Promise<void> {
  let asked: Promise<void> | undefined;
  return () => (asked ??= ask(authorizer, context));
}

async function ask(authorizer: Authorizer, context: RequestContext): Promise<void> {
  const attributes = { ...attributesOf(context), verb: "create" };
  const { decision, reason, error } = await authorizer(attributes);
  if (decision === "allow") return;
  throw error === undefined ? forbiddenError(attributes, reason) : internalError(error);
}
