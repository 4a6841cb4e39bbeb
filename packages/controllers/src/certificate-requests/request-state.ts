import type { DeepReadonly } from "@coxswain/api";
import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";

export type CachedRequest = DeepReadonly<CertificateSigningRequest>;

export const hasCondition = ({ status }: CachedRequest, type: string): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type);

/** Its condition is true; a condition without a status is one of an old server. */
export const isTrue = ({ status }: CachedRequest, type: string): boolean =>
  (status?.conditions ?? []).some((condition) => condition.type === type && (condition.status || "True") === "True");

/** The request in PEM. */
export const requestPem = ({ spec }: CachedRequest): string => Buffer.from(spec.request, "base64").toString("latin1");
