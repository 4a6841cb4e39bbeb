import { quoteGo } from "@coxswain/apimachinery/field";
import type { DocumentAnswer } from "../request/answer.js";
import { escapeMarkup } from "../request/escape-markup.js";
import type { RequestContext } from "../request/request-context.js";

/** The answer of a filter that failed itself: plain text, as upstream's do (k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go, InternalError). */
export function internalErrorAnswer({ request: { path, query } }: RequestContext, error: string): DocumentAnswer {
  const text = escapeMarkup(`Internal Server Error: ${quoteGo(query === "" ? path : `${path}?${query}`)}: ${error}`);
  return {
    as: "document",
    code: 500,
    contentType: "text/plain; charset=utf-8",
    headers: { "x-content-type-options": "nosniff" },
    bytes: Buffer.from(`${text}\n`),
  };
}
