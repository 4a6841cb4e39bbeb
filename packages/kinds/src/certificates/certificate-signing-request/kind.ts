import { builtInKind } from "../../built-in/built-in-kind.js";
import { certificateSigningRequestColumns } from "./columns.js";
import type { StoredCertificateSigningRequest } from "./stored.js";
import {
  certificateSigningRequestApprovalStrategy,
  certificateSigningRequestStatusStrategy,
  certificateSigningRequestStrategy,
} from "./strategy.js";

export type { StoredCertificateSigningRequest };

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
