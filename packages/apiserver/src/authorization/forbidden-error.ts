import { quoteGo } from "@coxswain/apimachinery/field";
import { forbidden, type StatusError } from "@coxswain/apimachinery/status";
import { escapeMarkup } from "../request/escape-markup.js";
import type { Attributes } from "./attributes.js";

/** What a client is answered whom no authorizer allows what it asks for. */
export function forbiddenError(attributes: Attributes, reason: string): StatusError {
  const message = escapeMarkup(describe(attributes));
  return forbidden(
    { group: attributes.group, resource: attributes.resource },
    attributes.name,
    reason === "" ? message : `${message}: ${reason}`,
  );
}

function describe({ user, verb, isResource, path, resource, subresource, group, namespace }: Attributes): string {
  const who = `User ${quoteGo(user.name)} cannot ${verb}`;
  if (!isResource) return `${who} path ${quoteGo(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quoteGo(namespace)}`;
  return `${who} resource ${quoteGo(what)} in API group ${quoteGo(group)} ${where}`;
}
