import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** Where a server is. */
export interface Endpoint {
  /** As it was given. */
  readonly url: string;
  readonly secure: boolean;
  /** `:authority` of every call. */
  readonly authority: string;
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
}

/** PEM texts. */
export interface TlsOptions {
  /** Whom to trust. @default the system's authorities */
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** The name that the server's certificate must have. @default the host of the endpoint */
  readonly serverName?: string;
}

/** `http://host:port`, `https://host:port`, `unix:///path` or `unix:path`. @throws TypeError */
export function parseEndpoint(url: string): Endpoint {
  const unix = /^unix:(?:\/\/)?(.+)$/.exec(url);
  if (unix) return { url, secure: false, authority: "localhost", address: { path: unix[1]! } };
  const [, scheme, authority, v6, name, port] =
    /^(https?):\/\/((?:\[([0-9a-fA-F:.]+)\]|([^/:?#[\]@]+))(?::(\d{1,5}))?)\/?$/.exec(url) ?? [];
  if (!scheme || !authority)
    throw new TypeError(
      `${JSON.stringify(url)} is no endpoint: write http://host:port, https://host:port or unix:///path`,
    );
  const secure = scheme === "https";
  return { url, secure, authority, address: { host: v6 ?? name!, port: port ? Number(port) : secure ? 443 : 80 } };
}

export function openSocket(endpoint: Endpoint, tls: TlsOptions = {}): Socket {
  if ("path" in endpoint.address) return connectPlain(endpoint.address.path);
  const { host, port } = endpoint.address;
  if (!endpoint.secure) return connectPlain({ host, port, noDelay: true });
  const socket = connectTls({
    host,
    port,
    ALPNProtocols: ["h2"],
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.certificate !== undefined && { cert: tls.certificate }),
    ...(tls.key !== undefined && { key: tls.key }),
    // An address is no server name; Node checks it against the certificate's addresses all the same.
    ...(tls.serverName !== undefined
      ? { servername: tls.serverName }
      : /[a-z]/i.test(host) && !host.includes(":")
        ? { servername: host }
        : {}),
  });
  socket.setNoDelay(true);
  return socket;
}
