import type { GroupVersion } from "./api-service.js";
import { apiServiceName } from "./api-service.js";
import type { Backend, ProxyCredentials } from "./backend.js";

/**
 * A group-version that a part of this process serves on a port of its own, for as long as no APIService leads to a server that answers.
 * There is no object for it: another server that is installed finds the names free.
 */
export interface OwnApi extends GroupVersion {
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly hostname: string;
  readonly port: number;
  /** Who signed its certificate, as PEM, and the name in it. */
  readonly authority: string;
  readonly serverName: string;
}

export const ownBackend = (own: OwnApi, credentials: ProxyCredentials | undefined): Backend => ({
  ...own,
  name: apiServiceName(own),
  service: { namespace: "", name: "", port: own.port },
  address: { hostname: own.hostname, port: own.port },
  isAvailable: true,
  problem: undefined,
  tls: {
    ...(credentials && { cert: credentials.certificate, key: credentials.key }),
    ca: own.authority,
    rejectUnauthorized: true,
    servername: own.serverName,
  },
});
