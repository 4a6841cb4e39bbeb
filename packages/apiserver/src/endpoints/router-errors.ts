import { StatusError } from "@coxswain/apimachinery/status";
import type { DocumentAnswer } from "../request/answer.js";

export const resourceNotFound = (): StatusError =>
  new StatusError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });

export const methodNotAllowed = (): StatusError =>
  new StatusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });

/** A watch of what can only be listed: upstream's list finds out. */
export const watchNotSupported = (resource: string): StatusError =>
  new StatusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `watch is not supported on resources of kind "${resource}"`,
    details: { kind: resource },
  });

/** Kubernetes has it and we do not, yet: the error is explicit, so that users do not look for a mistake of theirs. */
export const notServedYet = ({
  resource,
  subresource,
  verb,
}: {
  resource: string;
  subresource: string;
  verb: string;
}): StatusError =>
  new StatusError({
    code: 501,
    reason: "",
    message: `${verb} of ${resource}${subresource === "" ? "" : `/${subresource}`} is not served by Coxswain yet`,
  });

export const textAnswer = (
  code: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): DocumentAnswer => ({
  as: "document",
  code,
  contentType: "text/plain; charset=utf-8",
  headers: { "x-content-type-options": "nosniff", ...headers },
  bytes: new TextEncoder().encode(text),
});

/** Where not even the group is known, upstream's answer is plain text and no Status. */
export const pageNotFound = (): DocumentAnswer => textAnswer(404, "404 page not found\n");

/** Upstream's server gives up here before anything knows what the request is about, or thinks of caches. */
export const unclearPath = ({ path }: { path: string }): DocumentAnswer =>
  textAnswer(
    500,
    `Internal Server Error: ${JSON.stringify(path)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${path}\n`,
    { "cache-control": "" },
  );
