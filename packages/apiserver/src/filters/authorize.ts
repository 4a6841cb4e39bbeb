import { forbidden, type StatusError } from "@coxswain/apimachinery/status";
import type { Attributes, Authorizer } from "../authorization/attributes.js";
import type { RequestContext } from "../endpoints/request-context.js";
import type { Filter } from "./filter.js";

export const authorize =
  (authorizer: Authorizer): Filter =>
  (context, next) => {
    const attributes = attributesOf(context);
    const { decision, reason } = authorizer(attributes);
    return decision === "allow" ? next(context) : Promise.reject(forbiddenError(attributes, reason));
  };

export const attributesOf = ({ info, user }: RequestContext): Attributes => ({
  user,
  verb: info.verb,
  isResource: info.isResource,
  path: info.path,
  namespace: info.namespace,
  group: info.group,
  version: info.version,
  resource: info.resource,
  subresource: info.subresource,
  name: info.name,
});

export function forbiddenError(attributes: Attributes, reason: string): StatusError {
  const message = describe(attributes).replace(/[&<>]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char] ?? char);
  return forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, reason === "" ? message : `${message}: ${reason}`);
}

function describe({ user, verb, isResource, path, resource, subresource, group, namespace }: Attributes): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (!isResource) return `${who} path ${JSON.stringify(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}
