import type { VerbHandler } from "../endpoints/verb-handler.js";
import { handleLocalSubjectAccessReview, handleSelfSubjectAccessReview, handleSubjectAccessReview } from "./authorization/access-review.js";
import { handleSelfSubjectReview } from "./authorization/self-subject-review.js";
import { handleBinding } from "./pods/binding.js";

/** What is not done as to every other object: by group, resource, subresource and verb. */
const handlers: Readonly<Record<string, VerbHandler>> = {
  "bindings create": handleBinding,
  "pods/binding create": handleBinding,
  "authentication.k8s.io selfsubjectreviews create": handleSelfSubjectReview,
  "authorization.k8s.io subjectaccessreviews create": handleSubjectAccessReview,
  "authorization.k8s.io selfsubjectaccessreviews create": handleSelfSubjectAccessReview,
  "authorization.k8s.io localsubjectaccessreviews create": handleLocalSubjectAccessReview,
};

export function specialHandler(group: string, resource: string, subresource: string, verb: string): VerbHandler | undefined {
  const path = subresource === "" ? resource : `${resource}/${subresource}`;
  const key = `${group === "" ? "" : `${group} `}${path} ${verb}`;
  return Object.hasOwn(handlers, key) ? handlers[key] : undefined;
}
