import type { OpenStreams } from "../../endpoints/until-stopped.js";
import type { Network } from "../../network/network.js";
import type { UserInfo } from "../../request/user-info.js";
import { type BackendConnections, createBackendConnections } from "./backend-connections.js";
import { type BackendTls, trustingTls } from "./location.js";
import { isGlobalUnicast } from "./proxyable-address.js";

/** The credentials of the server for kubelets, and the authority it trusts. */
export interface KubeletCredentials {
  /** PEM of the certificate and the key that the server shows. @default none */
  certificate?: string;
  key?: string;
  /** PEM of the authority that signs kubelets' certificates. @default certificates are not verified */
  authority?: string;
}

/** How the server connects to kubelets. */
export interface KubeletOptions extends KubeletCredentials {
  /** Which of a node's addresses is taken. @default Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP */
  preferredAddressTypes?: readonly string[];
  /** For nodes that do not report one. @default 10250 */
  port?: number;
  /** Whether an address may be the target of a proxy. @default it is neither loopback, link-local, multicast nor unspecified */
  mayProxyTo?: (address: string) => boolean;
}

/** What connections to nodes, pods and services rest on. */
export interface Streams extends OpenStreams {
  readonly preferredAddressTypes: readonly string[];
  readonly kubeletPort: number;
  readonly kubeletTls: BackendTls;
  /** For clients that ask not to check: the certificate is shown all the same. */
  readonly trustingKubeletTls: BackendTls;
  readonly mayProxyTo: (address: string) => boolean;
  readonly network: Network;
  readonly connections: BackendConnections;
  /** For connections that begin from now on. */
  replaceCredentials(credentials: KubeletCredentials): void;
  /** Ends every stream, and those that come later at once. */
  stop(): void;
}

export const defaultAddressTypes: readonly string[] = [
  "Hostname",
  "InternalDNS",
  "InternalIP",
  "ExternalDNS",
  "ExternalIP",
];

export function createStreams(options: KubeletOptions, deps: Pick<Streams, "runtime" | "network">): Streams {
  const { preferredAddressTypes = defaultAddressTypes, port = 10250, mayProxyTo = isGlobalUnicast } = options;
  const insideUser = deps.network.simulated?.kubeletClient;
  let tls = tlsOf(options, insideUser);
  const connections = createBackendConnections();
  const live = new Set<AbortController>();
  let stopped = false;
  return {
    ...deps,
    live,
    connections,
    get stopped() {
      return stopped;
    },
    stop() {
      stopped = true;
      for (const life of live) life.abort();
      connections.close();
    },
    preferredAddressTypes,
    kubeletPort: port,
    get kubeletTls() {
      return tls.checking;
    },
    get trustingKubeletTls() {
      return tls.trusting;
    },
    replaceCredentials(credentials) {
      tls = tlsOf(credentials, insideUser);
      connections.dropIdle();
    },
    mayProxyTo,
  };
}

/** Only this is what kubelets take for the API server's: proxies of pods and services show `trustingTls`, which is nothing. */
function tlsOf(
  { certificate, key, authority }: KubeletCredentials,
  insideUser: UserInfo | undefined,
): { readonly checking: BackendTls; readonly trusting: BackendTls } {
  const shown = { ...(certificate !== undefined && key !== undefined && { cert: certificate, key }), insideUser };
  const trusting = { ...shown, ...trustingTls };
  return {
    trusting,
    checking:
      authority === undefined
        ? trusting
        : { ...shown, ca: authority, allowPartialTrustChain: true, rejectUnauthorized: true },
  };
}
