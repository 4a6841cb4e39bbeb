import { forbidden } from "@coxswain/apimachinery/status";
import type { RequestContext } from "../endpoints/request-context.js";
import type { Filter } from "./filter.js";

/** "no opinion" lets the next one decide; when nobody allows, it is forbidden. */
export type Authorizer = (context: RequestContext) => { readonly decision: "allow" | "deny" | "no opinion"; readonly reason?: string };

export const authorize =
  (authorizers: readonly Authorizer[]): Filter =>
  (context, next) => {
    const reasons: string[] = [];
    for (const authorizer of authorizers) {
      const { decision, reason } = authorizer(context);
      if (decision === "allow") return next(context);
      if (reason) reasons.push(reason);
      if (decision === "deny") break;
    }
    return Promise.reject(forbiddenError(context, reasons.join(", ")));
  };

function forbiddenError(context: RequestContext, reason: string) {
  const { info } = context;
  const message = describe(context).replace(/[&<>]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char] ?? char);
  return forbidden({ group: info.group, resource: info.resource }, info.name, reason === "" ? message : `${message}: ${reason}`);
}

function describe({ info, user }: RequestContext): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${info.verb}`;
  if (!info.isResource) return `${who} path ${JSON.stringify(info.path)}`;
  const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const where = info.namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(info.namespace)}`;
  return `${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${where}`;
}

/** Asked before all others: members of system:masters may do anything. */
export const privilegedGroup: Authorizer = ({ user }) => (user.groups.includes("system:masters") ? { decision: "allow" } : { decision: "no opinion" });

const publicPaths = /^\/(healthz|livez|readyz|version)(\/|$)/;

/** What everybody may ask, so that a probe needs no credentials. */
export const publicInformation: Authorizer = ({ info }) => (!info.isResource && info.verb === "get" && publicPaths.test(info.path) ? { decision: "allow" } : { decision: "no opinion" });
