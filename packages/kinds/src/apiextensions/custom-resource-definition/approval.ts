import { quoteGo } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseGoUrl } from "@coxswain/apimachinery/validation";

export const approvalAnnotation = "api-approved.kubernetes.io";

/** Groups of Kubernetes' own need an annotation with the approval of their API. */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);

export interface Approval {
  readonly state: "missing" | "bypassed" | "approved" | "invalid";
  /** As given. */
  readonly text: string;
  readonly message: string;
}

export function approvalOf(annotations: Readonly<Record<string, string>> | undefined): Approval {
  const text = getOwn(annotations, approvalAnnotation) ?? "";
  const wanted = `protected groups must have approval annotation "${approvalAnnotation}"`;
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (text === "") return { state: "missing", text, message: `${wanted}, ${see}` };
  if (text.startsWith("unapproved")) return { state: "bypassed", text, message: `not approved: ${quoteGo(text)}` };
  const url = parseGoUrl(text);
  if (typeof url !== "string" && url.host !== "" && url.scheme !== "")
    return { state: "approved", text, message: `approved in ${text}` };
  return {
    state: "invalid",
    text,
    message: `${wanted} with either a URL or a reason starting with "unapproved", ${see}`,
  };
}
