/** What a page of a component answers. */
export interface Page {
  /** @default 200 */
  readonly status?: number;
  /** @default text/plain */
  readonly contentType?: string;
  readonly body: string | Uint8Array;
}

/** Who asks, and for what. */
export interface PageRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client's certificate in PEM, where the TLS handshake verified it. */
  readonly certificate?: string;
}

/** Undefined: it is not a page of this source. */
export type PageSource = (request: PageRequest) => Page | undefined | Promise<Page | undefined>;

/** Whether the request may see the page: undefined, or what refuses it. */
export type PageGuard = (request: PageRequest) => Page | undefined | Promise<Page | undefined>;
