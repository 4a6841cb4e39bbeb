import type { LocalSubjectAccessReview, SelfSubjectAccessReview, SubjectAccessReview } from "@coxswain/api/authorization/v1";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { type FieldError, fieldPath, invalid as invalidField, required } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { invalid } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { Attributes } from "../../authorization/attributes.js";
import { decodeBody } from "../../endpoints/decode/decode-body.js";
import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import { encodedObject } from "../../objects/encoded-object.js";
import type { ObjectAnswer } from "../../server/answer.js";
import type { UserInfo } from "../../server/user-info.js";

type Spec = Pick<SubjectAccessReview["spec"], "resourceAttributes" | "nonResourceAttributes">;

/** May this user do that? For whoever may ask about others. */
export const handleSubjectAccessReview: VerbHandler = async (deps, context, { kind }) => {
  const options = readWriteOptions(context, "CreateOptions");
  const review = (await decodeBody(deps, context, kind, options.fieldValidation)) as unknown as SubjectAccessReview;
  check(kind, [...checkSubject(review.spec), ...checkQuestion(review.spec)]);
  return answer(deps, kind, review, userOf(review.spec));
};

/** May I do that? */
export const handleSelfSubjectAccessReview: VerbHandler = async (deps, context, { kind }) => {
  const options = readWriteOptions(context, "CreateOptions");
  const review = (await decodeBody(deps, context, kind, options.fieldValidation)) as unknown as SelfSubjectAccessReview;
  check(kind, checkQuestion(review.spec));
  return answer(deps, kind, review, context.user);
};

/** The same about one namespace, for those who may only ask there. */
export const handleLocalSubjectAccessReview: VerbHandler = async (deps, context, { kind, namespace }) => {
  const options = readWriteOptions(context, "CreateOptions");
  const review = (await decodeBody(deps, context, kind, options.fieldValidation)) as unknown as LocalSubjectAccessReview;
  const { resourceAttributes } = review.spec;
  const errors = [...checkSubject(review.spec), ...checkQuestion(review.spec)];
  if (resourceAttributes && resourceAttributes.namespace !== namespace) errors.push(invalidField(fieldPath("spec", "resourceAttributes", "namespace"), resourceAttributes.namespace ?? "", "must match metadata.namespace"));
  check(kind, errors);
  return answer(deps, kind, review, userOf(review.spec));
};

function check(kind: AnyKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: kind.group, kind: kind.kind }, "", errors);
}

function checkQuestion({ resourceAttributes, nonResourceAttributes }: Spec): FieldError[] {
  const path = fieldPath("spec", "resourceAttributes");
  if (resourceAttributes && nonResourceAttributes) return [invalidField(fieldPath("spec", "nonResourceAttributes"), nonResourceAttributes, "cannot be specified in combination with resourceAttributes")];
  if (!resourceAttributes && !nonResourceAttributes) return [invalidField(path, null, "exactly one of nonResourceAttributes or resourceAttributes must be specified")];
  return [];
}

function checkSubject({ user, groups }: { user?: string; groups?: string[] }): FieldError[] {
  return !user && (groups?.length ?? 0) === 0 ? [required(fieldPath("spec", "user"), "at least one of user or group must be specified")] : [];
}

const userOf = ({ user, groups, uid }: { user?: string; groups?: string[]; uid?: string }): UserInfo => ({ name: user ?? "", groups: groups ?? [], ...(uid === undefined ? {} : { uid }) });

function answer(deps: HandlerDeps, kind: AnyKind, review: { spec: Spec }, user: UserInfo): ObjectAnswer {
  const { decision, reason } = deps.authorizer(attributesOf(review.spec, user));
  const status = { allowed: decision === "allow", ...(decision === "deny" ? { denied: true } : {}), ...(reason === "" ? {} : { reason }) };
  const object = walk({ ...review, status }, kind.schema) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: Spec, user: UserInfo): Attributes {
  const { namespace = "", verb = "", group = "", version = "", resource = "", subresource = "", name = "" } = resourceAttributes ?? {};
  if (resourceAttributes) return { user, verb, isResource: true, path: "", namespace, group, version, resource, subresource, name };
  const path = nonResourceAttributes?.path ?? "";
  return { user, verb: nonResourceAttributes?.verb ?? "", isResource: false, path, namespace: "", group: "", version: "", resource: "", subresource: "", name: "" };
}
