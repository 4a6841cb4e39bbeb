import { X509Certificate } from "node:crypto";
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";
import type { Runtime } from "@coxswain/runtime";
import type { ServerCertificate } from "../engine/backend.js";
import type { ClientValidation, HttpsListener, TlsTerminatingListener } from "../engine/engine.js";

const handshakeMs = 10_000;

/** Where TLS of a listener ends. */
export interface TlsEnd {
  /** Begins the handshake on a connection from which nothing was read. */
  accept(socket: object): void;
}

/** Listeners that stay the same keep theirs, and with it the keys of sessions that clients resume. */
const ends = new WeakMap<object, TlsEnd>();

export function tlsEndOf(
  runtime: Runtime,
  listener: HttpsListener | TlsTerminatingListener,
  onSecure: (socket: TLSSocket) => void,
): TlsEnd {
  const there = ends.get(listener);
  if (there) return there;
  const server = createEnd(runtime, listener);
  server.on("secureConnection", onSecure);
  // Documented for servers of HTTP; those of TLS take connections in the same way.
  const end = { accept: (socket: object) => void server.emit("connection", socket) };
  ends.set(listener, end);
  return end;
}

function createEnd(runtime: Runtime, listener: HttpsListener | TlsTerminatingListener): Server {
  const { certificates, clientValidation } = listener;
  const ca = clientValidation && authoritiesOf(clientValidation);
  const contexts = certificates.flatMap((one) => {
    try {
      return [compileCertificate(one, ca)];
    } catch (error) {
      runtime.log.warn("a certificate cannot be used", { listener: listener.name, error });
      return [];
    }
  });
  const [first] = contexts;
  return createServer({
    handshakeTimeout: handshakeMs,
    ...(listener.kind === "https" && { ALPNProtocols: ["h2", "http/1.1"] }),
    ...(clientValidation && {
      requestCert: true,
      rejectUnauthorized: clientValidation.mode === "AllowValidOnly",
    }),
    // A client without a server name gets the first one.
    ...(first && { ...first.options }),
    SNICallback: (name, done) =>
      done(null, (contexts.find(({ x509 }) => x509.checkHost(name) !== undefined) ?? first)?.context),
    allowHalfOpen: true,
  }).on("tlsClientError", (error) => runtime.log.debug("a handshake failed", { listener: listener.name, error }));
}

/**
 * Empty, rather than left out: that would be all authorities that Node.js comes with. Where every client is let in none is needed, and none may be
 * there: in Node.js 20 a signature that does not fit an RSA key of the same name ends the handshake, since OpenSSL's error stays in its queue.
 */
const authoritiesOf = ({ authorities, mode }: ClientValidation): string[] =>
  authorities === "" || mode === "AllowInsecureFallback" ? [] : [authorities];

interface CompiledCertificate {
  readonly x509: X509Certificate;
  readonly context: SecureContext;
  readonly options: { cert: string; key: string; ca?: string[] };
}

function compileCertificate({ certificate, key }: ServerCertificate, ca: string[] | undefined): CompiledCertificate {
  const options = { cert: certificate, key, ...(ca && { ca }) };
  return { x509: new X509Certificate(certificate), context: createSecureContext(options), options };
}
