import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { certificateSigningRequestColumns } from "./columns.js";
import {
  certificateSigningRequestApprovalStrategy,
  certificateSigningRequestStatusStrategy,
  certificateSigningRequestStrategy,
} from "./strategy.js";

export type StoredCertificateSigningRequest = Stored<CertificateSigningRequest, "status">;

export const certificateSigningRequestKind = builtInKind<StoredCertificateSigningRequest>(
  "certificates.k8s.io",
  "v1",
  "certificatesigningrequests",
  {
    strategy: certificateSigningRequestStrategy,
    views: { status: certificateSigningRequestStatusStrategy, approval: certificateSigningRequestApprovalStrategy },
    columns: certificateSigningRequestColumns,
    selectableValues: ({ spec }) => ({ "spec.signerName": spec.signerName }),
  },
);
