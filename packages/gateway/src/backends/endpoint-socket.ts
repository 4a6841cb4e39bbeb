import { connect as connectPlain, isIP } from "node:net";
import type { Duplex } from "node:stream";
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
} from "node:tls";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { AlternativeName, BackendTls } from "../engine/backend.js";
import type { BackendNetwork } from "../engine/backend-network.js";
import { refusedConnection } from "./refused-connection.js";

export interface EndpointTls {
  readonly tls: BackendTls;
  readonly context: SecureContext;
}

export const compileTls = (tls: BackendTls): EndpointTls => ({
  tls,
  context: createSecureContext({
    ...(tls.authorities.kind === "bundle" && { ca: tls.authorities.pem }),
    ...(tls.clientCertificate && { cert: tls.clientCertificate.certificate, key: tls.clientCertificate.key }),
  }),
});

export interface Dial {
  readonly network: BackendNetwork;
  readonly endpoint: Endpoint;
  readonly tls: EndpointTls | undefined;
  /** The protocol to be chosen in TLS. */
  readonly protocol: "http/1.1" | "h2" | undefined;
}

/** A connection to an endpoint, connected or about to be: to a simulated pod of this process, or by a socket. What goes wrong is its error. */
export function openEndpoint({ network, endpoint, tls, protocol }: Dial): Duplex {
  const plain = openPlain(network, endpoint);
  if (!tls) return plain;
  const options: ConnectionOptions = {
    socket: plain,
    secureContext: tls.context,
    // An address is no server name (RFC 6066, section 3).
    ...(isIP(tls.tls.hostname) === 0 && { servername: tls.tls.hostname }),
    ...(protocol && { ALPNProtocols: [protocol] }),
    checkServerIdentity: (_, certificate) => checkIdentity(tls.tls, certificate),
  };
  const secure = connectTls(options);
  plain.on("error", (error) => secure.destroy(error));
  return secure;
}

function openPlain(network: BackendNetwork, { address, port }: Endpoint): Duplex {
  try {
    const inside = network.connectInside({ hostname: address, port, scheme: "http", user: undefined });
    return inside ?? connectPlain({ host: address, port, noDelay: true, allowHalfOpen: true });
  } catch (error) {
    return refusedConnection(error as Error);
  }
}

/** Pure: whether a certificate is for the backend: for one of the alternative names, or without them for its hostname (BackendTLSPolicy). */
export function checkIdentity(
  { hostname, alternativeNames }: Pick<BackendTls, "hostname" | "alternativeNames">,
  certificate: Pick<PeerCertificate, "subjectaltname">,
): Error | undefined {
  const names = readAlternativeNames(certificate.subjectaltname ?? "");
  const wanted: readonly AlternativeName[] =
    alternativeNames.length > 0 ? alternativeNames : [{ kind: "hostname", hostname }];
  const isFor = wanted.some((one) =>
    one.kind === "uri" ? names.uris.includes(one.uri) : names.hosts.some((name) => coversHost(name, one.hostname)),
  );
  return isFor ? undefined : new Error("the backend's certificate is for other names");
}

/** Of the form that Node.js has for them: `DNS:a.b, URI:spiffe://x, IP Address:1.2.3.4`. Names with quotes are not taken (CVE-2021-44532). */
function readAlternativeNames(text: string): { hosts: string[]; uris: string[] } {
  const hosts: string[] = [];
  const uris: string[] = [];
  if (text.includes('"')) return { hosts, uris };
  for (const part of text.split(", "))
    if (part.startsWith("DNS:")) hosts.push(part.slice(4));
    else if (part.startsWith("IP Address:")) hosts.push(part.slice(11));
    else if (part.startsWith("URI:")) uris.push(part.slice(4));
  return { hosts, uris };
}

/** A star stands for one label (RFC 9525, section 6.3). */
function coversHost(name: string, host: string): boolean {
  const [wide, narrow] = [name.toLowerCase(), host.toLowerCase()];
  if (!wide.startsWith("*.")) return wide === narrow;
  return narrow.indexOf(".") > 0 && narrow.slice(narrow.indexOf(".")) === wide.slice(1);
}
