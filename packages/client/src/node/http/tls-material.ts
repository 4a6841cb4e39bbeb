/** What a TLS connection is made with. A changed file makes a new object: connections made with the old one are let go. */
export interface TlsMaterial {
  /** PEM; undefined: the system's authorities. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the certificate must have, instead of the host's. */
  readonly serverName?: string | undefined;
  /** Does not verify the server's certificate. */
  readonly insecure?: boolean | undefined;
}

export const sameMaterial = (a: TlsMaterial, b: TlsMaterial): boolean =>
  a === b ||
  (a.ca === b.ca && a.cert === b.cert && a.key === b.key && a.serverName === b.serverName && a.insecure === b.insecure);
