/** A backend that gets a part of the requests, connections or flows; 0: none. */
export interface WeightedBackend {
  readonly weight: number;
  readonly destination: BackendDestination;
}

/** Where requests go, or why they go nowhere: those are answered with the status and not given to other backends. */
export type BackendDestination = BackendService | BackendFailure;

export interface BackendFailure {
  readonly kind: "failure";
  /** For requests: 500 for references that lead nowhere; 503 where TLS to the backend cannot be set up. Of gRPC: UNAVAILABLE. */
  readonly status: number;
  readonly message: string;
}

/** A port of a Service. No endpoint is ready: 503, of gRPC UNAVAILABLE; TCP and TLS connections are reset, datagrams dropped. */
export interface BackendService {
  readonly kind: "service";
  readonly target: BackendTarget;
  readonly protocol: BackendProtocol;
  /** Undefined: plain text. */
  readonly tls: BackendTls | undefined;
}

export interface BackendTarget {
  readonly namespace: string;
  readonly service: string;
  /** Of the Service's port; EndpointSlices have the port under it. */
  readonly portName: string;
}

/**
 * - `http1`: what most speak. Requests of HTTP/2 become HTTP/1.1, WebSockets too.
 * - `h2`: HTTP/2 with prior knowledge or, in TLS, by ALPN: `appProtocol: kubernetes.io/h2c`, and all backends of GRPCRoutes.
 */
export type BackendProtocol = "http1" | "h2";

/** TLS to a backend (BackendTLSPolicy). A backend that fails the checks: 503, and nothing is sent to it. */
export interface BackendTls {
  /** For SNI and, without alternative names, what its certificate must be for. */
  readonly hostname: string;
  /** PEM; `system`: those that Node.js comes with. */
  readonly authorities: { readonly kind: "system" } | { readonly kind: "bundle"; readonly pem: string };
  /** One of them must be in the certificate; empty: `hostname` must. */
  readonly alternativeNames: readonly AlternativeName[];
  /** Sent to backends that ask for one (Gateway.spec.tls.backend). */
  readonly clientCertificate: ServerCertificate | undefined;
}

export type AlternativeName =
  | { readonly kind: "hostname"; readonly hostname: string }
  | { readonly kind: "uri"; readonly uri: string };

export interface ServerCertificate {
  /** PEM, with its chain. */
  readonly certificate: string;
  readonly key: string;
}
