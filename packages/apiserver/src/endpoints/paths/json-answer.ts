import { isPrettyRequest } from "@coxswain/apimachinery/negotiation";
import type { DocumentAnswer } from "../../server/answer.js";
import type { RequestContext } from "../request-context.js";

/** A value as JSON, indented for people. */
export function jsonAnswer(context: RequestContext, value: unknown, headers: Readonly<Record<string, string>> = {}): DocumentAnswer {
  const { query, request } = context;
  const pretty = isPrettyRequest({ pretty: query.has("pretty") ? query.text("pretty") : undefined, userAgent: request.header("user-agent") });
  const text = pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
  return { as: "document", code: 200, contentType: "application/json", headers, bytes: new TextEncoder().encode(`${text}\n`) };
}

/** A client that has this version already is told so. */
export function notModified({ request }: RequestContext, etag: string): DocumentAnswer | undefined {
  const known = request.header("if-none-match");
  if (known === undefined || !known.split(",").some((tag) => tag.trim() === etag)) return undefined;
  return { as: "document", code: 304, contentType: "", headers: { etag }, bytes: new Uint8Array(0) };
}
