import type { AdmissionResponse } from "@coxswain/api/admission/v1";
import { builtInTypes } from "@coxswain/api/tables";
import { quoteGo } from "@coxswain/apimachinery/field";
import { decodeJson } from "@coxswain/apimachinery/json";
import { parseGroupVersion } from "@coxswain/apimachinery/meta";
import { decodeYaml } from "@coxswain/apimachinery/yaml";
import type { RawAnswer } from "../../webhook/webhook-answer.js";
import type { ReviewHead } from "./admission-review.js";

/** An AdmissionReview that may be of any kind. */
export interface AnsweredReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly response?: AdmissionResponse;
}

/** Where upstream's code makes the list of types that it reads answers with: error messages name it. */
const scheme = "pkg/runtime/scheme.go:111";

/** Kinds of v1 that every such list has. */
const unversioned = new Set(["Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"]);

/** The AdmissionReview in an answer. @throws Error in the words of upstream's client where it cannot be read as one */
export function readReview({ code, contentType, body }: RawAnswer, { review }: ReviewHead): AnsweredReview {
  if (body === "") throw new Error(`0-length response with status code: ${code} and content type: ${contentType}`);
  // What begins like JSON is read as JSON, and everything else as YAML.
  const decode = (type: string): unknown =>
    (/^\s*\{/.test(body)
      ? decodeJson(new TextEncoder().encode(body), builtInTypes.get(type))
      : decodeYaml(body, builtInTypes.get(type))
    ).object;
  const { kind = "", apiVersion = "" } = decode("io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta") as AnsweredReview;
  const sentVersion = parseGroupVersion(apiVersion) ?? { group: "", version: apiVersion };
  const isGroup =
    sentVersion.group === "admission.k8s.io" && (sentVersion.version === "v1" || sentVersion.version === "v1beta1");
  if (apiVersion === "v1" && unversioned.has(kind))
    throw new Error(`converting (v1.${kind}) to (${review}.AdmissionReview): unknown conversion`);
  if (kind !== "" && apiVersion !== "" && (kind !== "AdmissionReview" || !isGroup))
    throw new Error(
      `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme ${quoteGo(scheme)}`,
    );
  if (isGroup && kind !== "" && sentVersion.version !== review)
    throw new Error(
      `converting (${sentVersion.version}.AdmissionReview) to (${review}.AdmissionReview): unknown conversion`,
    );
  return decode(`io.k8s.api.admission.${review}.AdmissionReview`) as AnsweredReview;
}

/** The content of a valid answer. */
export interface VerifiedResponse extends Pick<AdmissionResponse, "auditAnnotations" | "warnings" | "status"> {
  readonly allowed: boolean;
  /** The bytes of the patch; empty: there is none. */
  readonly patch: Uint8Array;
  /** "" without a patch. */
  readonly patchType: string;
}

/** @throws Error where the answer breaks a rule; v1beta1 has hardly any */
export function verifyResponse(
  { apiVersion = "", kind = "", response }: AnsweredReview,
  { review, uid }: ReviewHead,
  isMutating: boolean,
): VerifiedResponse {
  if (!response) throw new Error("webhook response was absent");
  const patch = new Uint8Array(Buffer.from(response.patch ?? "", "base64"));
  const { allowed = false, auditAnnotations, warnings, status } = response;
  const verdict = {
    allowed,
    ...(auditAnnotations && { auditAnnotations }),
    ...(warnings && { warnings }),
    ...(status && { status }),
  };
  const none = { patch: new Uint8Array(), patchType: "" };
  if (review === "v1beta1")
    return { ...verdict, ...(isMutating && patch.length > 0 ? { patch, patchType: "JSONPatch" } : none) };
  if ((response.uid ?? "") !== uid)
    throw new Error(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(response.uid ?? "")}`);
  const sentVersion = parseGroupVersion(apiVersion) ?? { group: "", version: apiVersion };
  if (sentVersion.group !== "admission.k8s.io" || sentVersion.version !== "v1" || kind !== "AdmissionReview")
    throw new Error(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${sentVersion.group}/${sentVersion.version}, Kind=${kind}`,
    );
  const { patchType } = response;
  if (!isMutating) {
    if (patch.length > 0) throw new Error("validating webhook may not return response.patch");
    if (patchType !== undefined) throw new Error("validating webhook may not return response.patchType");
    return { ...verdict, ...none };
  }
  if (patch.length > 0 && patchType === undefined)
    throw new Error("webhook returned response.patch but not response.patchType");
  if (patch.length === 0 && patchType !== undefined)
    throw new Error("webhook returned response.patchType but not response.patch");
  if (patchType === "") throw new Error('webhook returned invalid response.patchType of ""');
  return { ...verdict, patch, patchType: patchType ?? "" };
}
