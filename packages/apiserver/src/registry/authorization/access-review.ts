import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from "@coxswain/api/authorization/v1";
import { type FieldError, fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { invalid } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { encodedObject } from "../../cache/encoded-object.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { resourceNotFound } from "../../endpoints/router-errors.js";
import type { Target } from "../../endpoints/target.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { trackManagedFields } from "../../objects/managed-fields.js";
import type { ObjectAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { UserInfo } from "../../request/user-info.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import { admitReview } from "./admit-review.js";
import { evaluationError, reviewAttributes } from "./review-attributes.js";
import { checkMetadata, checkQuestion, checkSubject, internalForm, type Question } from "./review-checks.js";

/** May this user do that? For users that may ask about others. */
export const handleSubjectAccessReview: RegistryHandler = async (deps, context, target) => {
  const { kind } = target;
  const review = await read<SubjectAccessReview>(deps, context, target);
  check(kind, [...checkQuestion(review.spec, checkSubject(review.spec)), ...checkMetadata(review.metadata)]);
  return answer(deps, kind, review, userOf(review.spec));
};

/** May I do that? */
export const handleSelfSubjectAccessReview: RegistryHandler = async (deps, context, target) => {
  const { kind } = target;
  const review = await read<SelfSubjectAccessReview>(deps, context, target);
  check(kind, [...checkQuestion(review.spec), ...checkMetadata(review.metadata)]);
  return answer(deps, kind, review, context.user);
};

/** The same about one namespace, for those who may only ask there. */
export const handleLocalSubjectAccessReview: RegistryHandler = async (deps, context, target) => {
  const { kind, namespace } = target;
  if (namespace === "") throw resourceNotFound();
  const review = await read<LocalSubjectAccessReview>(deps, context, target);
  const { resourceAttributes, nonResourceAttributes } = review.spec;
  const errors = [
    ...checkQuestion(review.spec, checkSubject(review.spec)),
    ...checkMetadata(review.metadata, ["namespace"]),
  ];
  if (resourceAttributes && (resourceAttributes.namespace ?? "") !== namespace)
    errors.push(
      invalidField(
        fieldPath("spec", "resourceAttributes", "namespace"),
        resourceAttributes.namespace ?? "",
        "must match metadata.namespace",
      ),
    );
  if (nonResourceAttributes)
    errors.push(
      invalidField(
        fieldPath("spec", "nonResourceAttributes"),
        internalForm(nonResourceAttributes),
        "disallowed on this kind of request",
      ),
    );
  check(kind, errors);
  return answer(deps, kind, review, userOf(review.spec));
};

async function read<Review>(
  deps: RegistryDeps,
  context: RequestContext,
  target: Target,
): Promise<Review & KubernetesObject> {
  const options = readWriteOptions(context, "CreateOptions");
  const review = await decodePosted(deps, context, { ...target, validation: options.fieldValidation });
  const tracked = await trackManagedFields({
    deps,
    scope: writeScope(context, target, options),
    live: undefined,
    next: review,
  });
  await admitReview(deps, context, target, options, tracked);
  return tracked as unknown as Review & KubernetesObject;
}

function check(kind: AnyKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: kind.group, kind: "" }, "", errors); // Upstream has lost the kind by then.
}

const userOf = ({ user, groups, uid, extra }: SubjectAccessReviewSpec): UserInfo => ({
  name: user ?? "",
  groups: groups ?? [],
  ...(uid === undefined ? {} : { uid }),
  ...(extra === undefined ? {} : { extra }),
});

async function answer(
  deps: RegistryDeps,
  kind: AnyKind,
  review: KubernetesObject & { spec: Question },
  user: UserInfo,
): Promise<ObjectAnswer> {
  const asked = reviewAttributes(review.spec, user);
  const { decision, reason, error } = await deps.authorizer(asked);
  const trouble = evaluationError(error, asked);
  const status = {
    allowed: decision === "allow",
    ...(decision === "deny" ? { denied: true } : {}),
    ...(reason === "" ? {} : { reason }),
    ...(trouble === "" ? {} : { evaluationError: trouble }),
  };
  const object = walk({ ...review, status }, kind.schema) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
}
