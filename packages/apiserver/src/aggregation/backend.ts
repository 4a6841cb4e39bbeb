import { isStatusError } from "@coxswain/apimachinery/status";
import type { BackendTls, Location } from "../registry/streams/location.js";
import { readBundle } from "../webhook/ca-bundle.js";
import { type CertificateMetrics, checkIdentity } from "../webhook/certificate-metrics.js";
import type { ServiceReference, ServiceResolver } from "../webhook/service-resolver.js";
import { type ApiService, type GroupVersion, groupVersionOf, isAvailable, serviceOf } from "./api-service.js";

/** The certificate by which aggregated servers know this one, as PEM. */
export interface ProxyCredentials {
  readonly certificate: string;
  readonly key: string;
}

/** The server behind an APIService. */
export interface Backend extends GroupVersion {
  /** The name of the APIService. */
  readonly name: string;
  readonly service: ServiceReference;
  /** Where it is, where it is behind no service. */
  readonly address?: { readonly hostname: string; readonly port: number };
  readonly isAvailable: boolean;
  /** Why it cannot be asked at all; a bundle of certificates that cannot be read. */
  readonly problem: string | undefined;
  readonly tls: BackendTls;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** Undefined for what this server serves itself. */
export function backendOf(
  apiService: ApiService,
  credentials: ProxyCredentials | undefined,
  certificates: CertificateMetrics | undefined,
): Backend | undefined {
  const service = serviceOf(apiService);
  if (!service) return undefined;
  const { metadata, spec } = apiService;
  const insecure = spec?.insecureSkipTLSVerify ?? false;
  const bundle = authorityOf(spec?.caBundle ?? "");
  return {
    name: metadata.name ?? "",
    ...groupVersionOf(apiService),
    service,
    isAvailable: isAvailable(apiService),
    problem: bundle.problem,
    groupPriority: spec?.groupPriorityMinimum ?? 0,
    versionPriority: spec?.versionPriority ?? 0,
    tls: {
      ...(credentials && { cert: credentials.certificate, key: credentials.key }),
      ...(bundle.authority !== undefined && { ca: bundle.authority, allowPartialTrustChain: true }),
      rejectUnauthorized: !insecure,
      servername: `${service.name}.${service.namespace}.svc`,
      ...(insecure ? {} : { checkServerIdentity: checkIdentity(certificates) }),
    },
  };
}

function authorityOf(caBundle: string): {
  readonly authority?: string | undefined;
  readonly problem: string | undefined;
} {
  try {
    return { authority: readBundle(caBundle), problem: undefined };
  } catch (err) {
    return { problem: (err as Error).message };
  }
}

/** Where a request to the backend goes now. Rejects with the reason why there is no such place. */
export async function locate(
  resolver: ServiceResolver,
  { service, address, tls }: Pick<Backend, "service" | "address" | "tls">,
  { path, query = "" }: { readonly path: string; readonly query?: string },
): Promise<Location> {
  const { hostname, port } = await Promise.resolve()
    .then(() => address ?? resolver.resolve(service))
    .catch((err: unknown) => {
      throw isStatusError(err) ? new Error(err.status.message, { cause: err }) : err;
    });
  return { scheme: "https", hostname, port: String(port), path, query, tls };
}
