import type { KubernetesObject } from "@coxswain/apimachinery/meta";

/** The versions of ConversionReview that are sent, as `conversionReviewVersions` names them. */
export type ReviewVersion = "v1" | "v1beta1";

/** The first version that both sides know; undefined for none. */
export const chooseReviewVersion = (accepted: readonly string[]): ReviewVersion | undefined =>
  accepted.find((version) => version === "v1" || version === "v1beta1");

/** Why nothing is asked where both sides know no version in common. */
export const noReviewVersion = "no supported conversion review versions";

export interface ReviewHead {
  readonly review: ReviewVersion;
  /** The request's own. */
  readonly uid: string;
  /** What the objects are to become. */
  readonly apiVersion: string;
}

/** What a conversion webhook is asked, as JSON. The empty response is sent along, as upstream sends it (k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go, createConversionReviewObjects). */
export const conversionRequest = (
  objects: readonly KubernetesObject[],
  { review, uid, apiVersion }: ReviewHead,
): Readonly<Record<string, unknown>> => ({
  kind: "ConversionReview",
  apiVersion: `apiextensions.k8s.io/${review}`,
  request: { uid, desiredAPIVersion: apiVersion, objects },
  response: { uid: "", convertedObjects: null, result: { metadata: {} } },
});
