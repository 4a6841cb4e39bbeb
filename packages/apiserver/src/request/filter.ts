import type { Soon } from "@coxswain/runtime/soon";
import type { Answer } from "./answer.js";
import type { RequestContext } from "./request-context.js";

export type Handler = (context: RequestContext) => Soon<Answer>;

/** One step of a request's way: it answers itself, or lets the next one answer. */
export type Filter = (context: RequestContext, next: Handler) => Soon<Answer>;

/** The filters around the handler; the first one is the outermost. */
export const chain = (filters: readonly Filter[], handler: Handler): Handler =>
  filters.reduceRight<Handler>((next, filter) => (context) => filter(context, next), handler);
