import type { TokenRequest } from "@coxswain/api/authentication/v1";
import { aggregateText, quoteGo } from "@coxswain/apimachinery/field";
import type { AdmissionAttributes } from "../admission.js";
import { podOf } from "./pods.js";
import { refuse } from "./refuse.js";
import type { Restriction, RestrictionDeps } from "./restriction.js";
import { refersToAudience } from "./token-audiences.js";

/** A kubelet asks for tokens of the pods on its node, for the audiences that those pods use. */
export const restrictTokenRequests: Restriction = async (deps, node, attributes) => {
  if (attributes.operation !== "CREATE" || attributes.subresource !== "token") return;
  const { spec } = attributes.object as TokenRequest & { spec: NonNullable<TokenRequest["spec"]> };
  const bound = spec.boundObjectRef;
  if (bound?.apiVersion !== "v1" || bound.kind !== "Pod" || !bound.name)
    throw refuse(attributes, "node requested token not bound to a pod");
  if (!bound.uid) throw refuse(attributes, "node requested token with a pod binding without a uid");
  const pod = podOf(deps, attributes.namespace, bound.name);
  if (bound.uid !== pod.metadata.uid)
    throw refuse(
      attributes,
      `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (pod.spec.nodeName !== node)
    throw refuse(attributes, "node requested token bound to a pod scheduled on a different node");
  if (!deps.gates.enabled("ServiceAccountNodeAudienceRestriction")) return;
  if ((spec.audiences?.length ?? 0) > 1) throw refuse(attributes, "node may only request 0 or 1 audiences");
  const audience = spec.audiences?.[0] ?? "";
  const { found, errors } = refersToAudience(deps, pod, audience);
  if (found) return;
  const trouble = aggregateText(errors);
  if (trouble !== undefined) throw refuse(attributes, `error validating audience ${quoteGo(audience)}: ${trouble}`);
  await askForAudience(deps, attributes, audience);
};

/** The right to ask for an audience is that to a verb of its own. */
async function askForAudience(
  { authorizer }: RestrictionDeps,
  attributes: AdmissionAttributes,
  audience: string,
): Promise<void> {
  const { user, namespace, name } = attributes;
  const { decision, error } = await authorizer({
    user,
    verb: "request-serviceaccounts-token-audience",
    namespace,
    group: "",
    version: "v1",
    resource: audience,
    subresource: "",
    name,
    isResource: true,
    path: "",
  });
  if (decision === "allow") return;
  const missing = `audience ${quoteGo(audience)} not found in pod spec volume`;
  throw refuse(
    attributes,
    error === undefined
      ? `${missing}, ${user.name} is not authorized to request tokens for this audience`
      : `${missing}, error authorizing ${user.name} to request tokens for this audience: ${error}`,
  );
}
