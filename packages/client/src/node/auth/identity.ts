/** Who the client is: what it sends with each request and shows in the TLS handshake. */
export interface Identity {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** Where the identity comes from: a constant, a file that is rotated, a program that is run. */
export interface IdentitySource {
  /** Asked before every request, so cheap unless something has changed. */
  current(signal?: AbortSignal): Identity | Promise<Identity>;
  /** The server answered 401 to `used`. True where `current` gives another one now, so that one more try makes sense. */
  renew?(used: Identity): Promise<boolean>;
}

export const anonymous: IdentitySource = { current: () => ({ headers: {} }) };

export const fixedIdentity = (identity: Identity): IdentitySource => ({ current: () => identity });

export const bearerToken = (token: string): Identity => ({ headers: { authorization: `Bearer ${token}` } });

export const basicAuth = (username: string, password: string): Identity => ({
  headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` },
});

/** For example a certificate and a token together. Of one header the last source's counts. */
export function combineIdentities(sources: readonly IdentitySource[]): IdentitySource {
  if (sources.length === 0) return anonymous;
  if (sources.length === 1) return sources[0] as IdentitySource;
  return {
    async current(signal) {
      const parts = await Promise.all(sources.map((source) => source.current(signal)));
      const certificate = parts.findLast((part) => part.certificate)?.certificate;
      return { headers: Object.assign({}, ...parts.map((part) => part.headers)), ...(certificate && { certificate }) };
    },
    async renew(used) {
      const renewed = await Promise.all(sources.map((source) => source.renew?.(used) ?? false));
      return renewed.includes(true);
    },
  };
}
