import {
  isPrettyRequest,
  negotiateOutput,
  negotiateStream,
  type Output,
  resourceRestrictions,
} from "@coxswain/apimachinery/negotiation";
import type { RequestContext } from "../../request/request-context.js";
import type { RequestInfo } from "../../request/request-info.js";

const withTables = { restrictions: resourceRestrictions({ tables: true }) };
const withoutTables = { restrictions: resourceRestrictions({ tables: false }) };
const ofCustom = {
  restrictions: resourceRestrictions({ tables: true, objects: ["application/json", "application/yaml"] }),
};

/** Clients repeat the same Accept header: cached by it, for each kind of request. */
const known = Array.from({ length: 16 }, () => new Map<string, Output>());
const most = 64;

/** What a client of a resource accepts; throws 406 when that is nothing. `custom`: objects that have no protobuf form. */
export function negotiateOnce({ request, query, info }: RequestContext, custom: boolean): Output {
  const accept = request.header("accept");
  const isWatch = info.verb === "watch";
  const tables = hasTables(info);
  const pretty = isPrettyRequest({ pretty: query.text("pretty"), userAgent: request.header("user-agent") });
  const outputs = known[(custom ? 8 : 0) + (isWatch ? 4 : 0) + (tables ? 2 : 0) + (pretty ? 1 : 0)]!;
  let output = outputs.get(accept ?? "");
  if (!output) {
    const options = custom ? ofCustom : tables ? withTables : withoutTables;
    // A watch must be acceptable as a list as well: upstream finds out late which of both it is.
    const plain = negotiateOutput({ accept, pretty: String(pretty) }, options);
    output = isWatch ? negotiateStream({ accept, pretty: String(pretty) }, options) : plain;
    if (outputs.size >= most) outputs.clear();
    outputs.set(accept ?? "", output);
  }
  return output;
}

/** Upstream gave these statuses no columns. */
const statusesWithoutTables = new Set([
  "customresourcedefinitions.apiextensions.k8s.io",
  "apiservices.apiregistration.k8s.io",
  "resourceclaims.resource.k8s.io",
  "devicetaintrules.resource.k8s.io",
  "podgroups.scheduling.k8s.io",
]);

/** Reviews, bindings and most subresources are answers to a question: upstream has no columns for them. */
function hasTables({ group, resource, subresource }: RequestInfo): boolean {
  if (subresource !== "")
    return subresource === "scale" || (subresource === "status" && !statusesWithoutTables.has(`${resource}.${group}`));
  return (
    group !== "authentication.k8s.io" && group !== "authorization.k8s.io" && !(group === "" && resource === "bindings")
  );
}
