import type { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import type { ProgramFacts } from "../port-server.js";

/** Ends TLS with the certificate that the variables name, which is read for each connection: it may have changed. Clients' certificates are checked if they send one and there are authorities. */
export function serveTls(
  connection: Duplex,
  facts: ProgramFacts,
  keyVariable: string,
  serve: (secure: TLSSocket) => void,
  protocols: readonly string[] = [],
): void {
  connection.on("error", () => {}); // "close" follows
  const files = ["TLS_SERVER_CERT", keyVariable, "TLS_CLIENT_CACERTS"].map(async (variable) => {
    const path = facts.env(variable);
    const content = path === "" ? undefined : await facts.read(path);
    return content && Buffer.from(content).toString("latin1");
  });
  void Promise.all(files)
    .then(([cert, key, ca]) => {
      const secure = new TLSSocket(connection, {
        isServer: true,
        secureContext: createSecureContext({ cert, key, ...(ca !== undefined && { ca }) }),
        ALPNProtocols: [...protocols],
        requestCert: ca !== undefined,
        rejectUnauthorized: false,
      });
      secure.on("error", () => connection.destroy());
      secure.once("secure", () => {
        const sentWrongOne = ca !== undefined && secure.getPeerX509Certificate() && secure.ssl?.verifyError();
        if (sentWrongOne) secure.destroy();
        else serve(secure);
      });
    })
    .catch(() => connection.destroy()); // no certificate that can be used
}

/** What a server knows of its connection, as the answers have it. */
export function tlsAssertions(secure: TLSSocket): object {
  const peer = secure.getPeerX509Certificate();
  return {
    version: secure.getProtocol() ?? "",
    ...(peer && { peerCertificates: [peer.toString()] }),
    serverName: serverNameOf(secure),
    ...(secure.alpnProtocol && { negotiatedProtocol: secure.alpnProtocol }),
    cipherSuite: secure.getCipher().standardName,
  };
}

export const serverNameOf = (secure: TLSSocket): string =>
  (secure as TLSSocket & { readonly servername?: string | false }).servername || "";

declare module "node:tls" {
  interface TLSSocket {
    /** Of Node.js itself, since ever: what `authorizationError` of a server's connection is made from. */
    readonly ssl?: { verifyError(): Error | null };
  }
}
