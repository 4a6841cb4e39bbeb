import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredCertificateSigningRequest = Stored<CertificateSigningRequest, "status">;
