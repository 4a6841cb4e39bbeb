import { stringifyJson } from "@coxswain/apimachinery/json";
import type { AdmissionAttributes } from "../admission.js";
import type { Invocation } from "../matching/find-invocation.js";
import { requestOptions } from "../matching/request-options.js";
import { requestedResource } from "../matching/requested-resource.js";
import type { VersionedWrite } from "../matching/versioned-write.js";

/** The versions of AdmissionReview that are sent. */
export type ReviewVersion = "v1" | "v1beta1";

/** The first version that both sides know; undefined for none. */
export const chooseReviewVersion = (accepted: readonly string[]): ReviewVersion | undefined =>
  accepted.find((version): version is ReviewVersion => version === "v1" || version === "v1beta1");

/** An AdmissionRequest without its objects, its members in Go's order. */
export function requestFacts(attributes: AdmissionAttributes, { kind, resource }: Invocation): Record<string, unknown> {
  const { subresource, namespace, operation, user } = attributes;
  // A request that deletes a collection names no object.
  const name = attributes.request?.verb === "deletecollection" ? "" : attributes.name;
  const asked = requestedResource(attributes);
  const sub = subresource === "" ? {} : { subResource: subresource };
  const requestSub = subresource === "" ? {} : { requestSubResource: subresource };
  return {
    kind: ofKind(kind),
    resource: ofResource(resource),
    ...sub,
    requestKind: ofKind(asked.kind),
    requestResource: ofResource(asked.resource),
    ...requestSub,
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(user.extra && Object.keys(user.extra).length > 0 && { extra: user.extra }),
    },
  };
}

const ofKind = ({ group, version, kind }: Invocation["kind"]) => ({ group, version, kind });
const ofResource = ({ group, version, resource }: Invocation["resource"]) => ({ group, version, resource });

export interface ReviewHead {
  readonly review: ReviewVersion;
  /** The request's own. */
  readonly uid: string;
}

/** What a webhook is asked, as JSON. */
export function reviewText(
  attributes: AdmissionAttributes,
  invocation: Invocation,
  write: VersionedWrite,
  { review, uid }: ReviewHead,
): string {
  return stringifyJson({
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${review}`,
    request: {
      uid,
      ...requestFacts(attributes, invocation),
      object: write.object ?? null,
      oldObject: write.old ?? null,
      dryRun: attributes.dryRun,
      options: requestOptions(attributes),
    },
  });
}
