/** A request to one of the manager's own servers. */
export interface ServedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface ServedResponse {
  /** @default 200 */
  readonly status?: number;
  /** @default text/plain; charset=utf-8 */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Undefined: there is nothing at this path. */
export type Handler = (request: ServedRequest) => ServedResponse | undefined | Promise<ServedResponse | undefined>;

/** A certificate and its key in PEM; asked for at the start and again after each change. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateSource {
  current(): Promise<ServingCertificate>;
  /** Calls back after each change until the signal aborts. */
  watch(changed: (certificate: ServingCertificate) => void, signal: AbortSignal): void;
}

/** How a manager listens. `@coxswain/operator/node` has the one over sockets; a test may hand requests to handlers itself. */
export interface Servers {
  listen(options: {
    /** For logs: "metrics", "health probe", "webhook". */
    readonly name: string;
    /** `:8081`, `127.0.0.1:0`. */
    readonly address: string;
    readonly handler: Handler;
    /** @default plain HTTP */
    readonly certificates?: CertificateSource;
  }): Promise<RunningServer>;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Waits for requests under way. */
  stop(): Promise<void>;
}
