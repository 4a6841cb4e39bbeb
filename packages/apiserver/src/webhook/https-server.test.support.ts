import { type RequestListener } from "node:http";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";

export interface HttpsServer {
  readonly https: Server;
  readonly port: number;
  /** PEM in base64, as an object has it. */
  readonly caBundle: string;
  /** Cuts what is open. */
  stop(): Promise<void>;
}

/** An HTTPS server on a port of its own, with a certificate for `hosts` by an authority of its own. */
export async function startHttpsServer(
  listener: RequestListener,
  { hosts, tls = {} }: { readonly hosts: readonly string[]; readonly tls?: ServerOptions },
): Promise<HttpsServer> {
  const life = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000, random: systemRandom };
  const ca = createAuthority({ ...life, subject: { commonName: "ca" } });
  const identity = createServerIdentity(ca, { ...life, subject: { commonName: "server" }, hosts: [...hosts] });
  const https = createServer({ cert: identity.pem, key: encodePrivateKey(identity.privateKey), ...tls }, listener);
  await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
  return {
    https,
    port: (https.address() as AddressInfo).port,
    caBundle: Buffer.from(ca.pem).toString("base64"),
    stop: () =>
      new Promise((resolve) => {
        https.close(() => resolve());
        https.closeAllConnections();
      }),
  };
}
