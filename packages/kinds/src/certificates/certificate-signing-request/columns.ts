import type { DeepReadonly } from "@coxswain/api";
import { humanDuration } from "@coxswain/apimachinery/time";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredCertificateSigningRequest } from "./stored.js";

export const certificateSigningRequestColumns: ColumnSet<StoredCertificateSigningRequest> = {
  columns: [
    nameColumn,
    ageColumn,
    column("SignerName", "string", "Who is asked to sign."),
    column("Requestor", "string", "Who asks."),
    column("RequestedDuration", "string", "For how long."),
    column("Condition", "string", "What became of it."),
  ],
  cells: (request, now) => [
    request.metadata.name ?? "",
    age(request.metadata.creationTimestamp, now),
    request.spec.signerName || none,
    request.spec.username ?? "",
    request.spec.expirationSeconds === undefined ? none : humanDuration(request.spec.expirationSeconds * 1000),
    stateText(request),
  ],
};

function stateText({ status }: DeepReadonly<StoredCertificateSigningRequest>): string {
  const has = (type: string): boolean => status.conditions?.some((condition) => condition.type === type) ?? false;
  const state = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  return `${state}${has("Failed") ? ",Failed" : ""}${status.certificate ? ",Issued" : ""}`;
}
