import type { DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";

/** 304 for a client that has this version already. */
export function notModified({ request }: RequestContext, etag: string): DocumentAnswer | undefined {
  const known = request.header("if-none-match");
  if (known === undefined || !known.split(",").some((tag) => tag.trim() === etag)) return undefined;
  return { as: "document", code: 304, contentType: "", headers: { etag }, bytes: new Uint8Array(0) };
}
