import { readRequestFacts } from "@coxswain/component/certificates";
import { refuseKubeletClient, refuseKubeletServing } from "../certificate-requests/kubelet-requests.js";
import { type CachedRequest, hasCondition, isTrue, requestPem } from "../certificate-requests/request-state.js";
import { type SignerName, signerNames } from "../settings/certificate-signing-settings.js";

const minute = 60_000;
/** Twice the time by which certificates are backdated. */
const minimumMs = 10 * minute;

export type SigningPlan =
  /** Not approved, failed, or of another signer. */
  | { readonly kind: "leave" }
  | { readonly kind: "fail"; readonly message: string }
  | { readonly kind: "sign"; readonly signerName: SignerName; readonly ttlMs: number };

/** Pure: what a signer does with a request. @throws Error when it cannot be read */
export function planSigning(request: CachedRequest, maxMs: number): SigningPlan {
  const { signerName, usages = [], expirationSeconds } = request.spec;
  const name = signerNames.find((known) => known === signerName);
  if (!name || !isApproved(request) || isTrue(request, "Failed")) return { kind: "leave" };
  const message = refuse(name, request, usages);
  return message === undefined
    ? { kind: "sign", signerName: name, ttlMs: durationOf(expirationSeconds, maxMs) }
    : { kind: "fail", message };
}

const isApproved = (request: CachedRequest): boolean =>
  hasCondition(request, "Approved") && !hasCondition(request, "Denied");

function refuse(name: SignerName, request: CachedRequest, usages: readonly string[]): string | undefined {
  const facts = readRequestFacts(requestPem(request));
  switch (name) {
    case "kubernetes.io/kubelet-serving":
      return refuseKubeletServing(facts, usages);
    case "kubernetes.io/kube-apiserver-client-kubelet":
      return refuseKubeletClient(facts, usages);
    case "kubernetes.io/kube-apiserver-client":
      return refuseClientUsages(usages);
    case "kubernetes.io/legacy-unknown":
      return undefined;
  }
}

function refuseClientUsages(usages: readonly string[]): string | undefined {
  const wrong = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

/** Pure: as long as was asked for, between ten minutes and what the signer allows. */
export const durationOf = (seconds: number | undefined, maxMs: number): number => {
  if (seconds === undefined) return maxMs;
  const asked = seconds * 1000;
  return asked > maxMs ? maxMs : Math.max(asked, minimumMs);
};
