import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import type { Stored } from "../../stored.js";

export type StoredCertificateSigningRequest = Stored<CertificateSigningRequest, "status">;
