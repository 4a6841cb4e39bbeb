import type { SubjectAccessReviewSpec } from "@coxswain/api/authorization/v1";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { invalid } from "@coxswain/apimachinery/status";
import type { Attributes } from "../../../authorization/attributes.js";
import { rbacListers } from "../../../authorization/create-authorizer.js";
import { type NearMiss, nearMisses } from "../../../authorization/rbac/near-misses.js";
import { encodedObject } from "../../../cache/encoded-object.js";
import { decodeBody } from "../../../endpoints/decode/decode-body.js";
import { readWriteOptions } from "../../../endpoints/write-options.js";
import type { UserInfo } from "../../../request/user-info.js";
import { reviewAttributes } from "../../authorization/review-attributes.js";
import { checkQuestion } from "../../authorization/review-checks.js";
import type { RegistryDeps, RegistryHandler } from "../../contract/registry-deps.js";

interface AccessQuestion extends KubernetesObject {
  readonly spec?: SubjectAccessReviewSpec;
}

/** A SubjectAccessReview, about oneself where no user is named, with what nearly allowed it: as far as one may read those bindings. */
export const handleAccessExplanationCreate: RegistryHandler = async (deps, context, { kind }) => {
  const options = readWriteOptions(context, "CreateOptions");
  const asked = (await decodeBody(deps, context, kind, options.fieldValidation)) as AccessQuestion;
  const spec = asked.spec ?? ({} as SubjectAccessReviewSpec);
  const errors = checkQuestion(spec);
  if (errors.length > 0) throw invalid({ group: kind.group, kind: kind.kind }, "", errors);
  const user: UserInfo = spec.user || spec.groups ? { name: spec.user ?? "", groups: spec.groups ?? [] } : context.user;
  const attributes = reviewAttributes(spec, user);
  const { decision, reason } = await deps.authorizer(attributes);
  const found =
    decision === "allow" ? [] : await readable(deps, context.user, nearMisses(rbacListers(deps.feed), attributes));
  const status = {
    allowed: decision === "allow",
    ...(decision === "deny" && { denied: true }),
    text: decision === "allow" ? reason : refusalText(attributes),
    nearMisses: found,
  };
  const object = walk({ ...asked, status }, kind.schema) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
};

function refusalText({ user, verb, isResource, path, resource, subresource, namespace }: Attributes): string {
  const what = isResource ? (subresource === "" ? resource : `${resource}/${subresource}`) : path;
  const where = isResource ? (namespace === "" ? " in all namespaces" : ` in ${namespace}`) : "";
  const groups = user.groups.length > 0 ? ` (groups: ${user.groups.join(", ")})` : "";
  return `nothing grants ${verb} ${what}${where} to ${user.name}${groups}`;
}

/** Bindings and their roles that the one who asks may get. */
async function readable(deps: RegistryDeps, user: UserInfo, found: readonly NearMiss[]): Promise<NearMiss[]> {
  const may = async (kind: string, namespace: string, name: string): Promise<boolean> => {
    const resource = `${kind.toLowerCase()}s`;
    const of = { group: "rbac.authorization.k8s.io", version: "v1", resource, subresource: "", namespace, name };
    return (await deps.authorizer({ ...of, user, verb: "get", isResource: true, path: "" })).decision === "allow";
  };
  const shown: NearMiss[] = [];
  for (const miss of found) {
    const { binding, role } = miss;
    const namespace = binding.namespace ?? "";
    if (!(await may(binding.kind, namespace, binding.name))) continue;
    if (await may(role.kind, role.kind === "Role" ? namespace : "", role.name)) shown.push(miss);
  }
  return shown;
}
