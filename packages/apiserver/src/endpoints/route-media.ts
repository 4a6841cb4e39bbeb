import { mediaTypeNames, patchTypes, servedMediaTypes, streamMediaTypeNames } from "@coxswain/apimachinery/negotiation";
import { genericServerResponse } from "@coxswain/apimachinery/status";
import type { RequestContext } from "../request/request-context.js";

const objectTypes = mediaTypeNames(servedMediaTypes);
/** Lists and watches stand on the same path, so both kinds of answers count. */
const collectionTypes = [...objectTypes, ...streamMediaTypeNames(servedMediaTypes)];

/**
 * What upstream's router refuses by media type, before a handler looks closer: it neither reads qualities nor understands
 * `application/*`. Throws 415 and 406.
 */
export function checkMedia({ request, info }: RequestContext): void {
  if (request.method === "PATCH" && !names(request.header("content-type") ?? "").some(isPatch))
    throw refusal(415, "415: Unsupported Media Type");
  checkAccept(request, info.name === "" && request.method === "GET" ? collectionTypes : objectTypes);
}

/** The same of what a path can answer with: 406. */
export function checkAccept(request: RequestContext["request"], produced: readonly string[] = objectTypes): void {
  const accept = request.header("accept") ?? "";
  if (accept === "" || accept === "*/*" || accept === produced[0]) return; // nearly every client asks so
  if (!names(accept).some((name) => name === "*/*" || produced.includes(name)))
    throw refusal(406, `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`);
}

const isPatch = (name: string): boolean => (patchTypes as readonly string[]).includes(name);

const names = (header: string): string[] => header.split(",").map((clause) => (clause.split(";")[0] ?? "").trim());

const refusal = (code: number, serverMessage: string) =>
  genericServerResponse({ code, verb: "", serverMessage, unexpected: false });
