import type { AdmissionAttributes } from "../../admission.js";
import type { Invocation } from "../../matching/find-invocation.js";
import { requestOptions } from "../../matching/request-options.js";
import type { RequestedResource } from "../../matching/requested-resource.js";

/** The variable `request` of expressions: an AdmissionRequest without its objects; members that Go leaves out when empty are left out. */
export function admissionRequest(
  attributes: AdmissionAttributes,
  requested: RequestedResource,
  { kind, resource }: Invocation,
): Readonly<Record<string, unknown>> {
  const { namespace, user, operation, dryRun, request } = attributes;
  // A request that deletes a collection names no object.
  const name = request?.verb === "deletecollection" ? "" : attributes.name;
  const { subresource } = requested;
  const { uid, groups, extra } = user;
  return {
    uid: "",
    kind,
    resource,
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: requested.kind,
    requestResource: requested.resource,
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation,
    userInfo: {
      ...(user.name !== "" && { username: user.name }),
      ...(uid && { uid }),
      ...(groups.length > 0 && { groups }),
      ...(extra && Object.keys(extra).length > 0 && { extra }),
    },
    object: null,
    oldObject: null,
    dryRun,
    options: requestOptions(attributes),
  };
}
