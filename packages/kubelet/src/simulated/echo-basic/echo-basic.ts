import type { Duplex } from "node:stream";
import type { PortServer, PortTransport, ProgramFacts } from "../port-server.js";
import type { EchoContext } from "./echo-context.js";
import { createGrpcEcho } from "./grpc-echo.js";
import { createHttpEcho } from "./http-echo.js";
import { serveTcpEcho } from "./tcp-echo.js";
import { serveTls } from "./tls-server.js";
import { serveUdpEcho } from "./udp-echo.js";

/** The backend of the Gateway API's conformance suite (conformance/echo-basic in sigs.k8s.io/gateway-api). */
export const isEchoBasic = (image: string): boolean => /(^|\/)gateway-api\/echo-basic[:@]/.test(image);

type Serve = (connection: Duplex) => void;

/** Its variables choose what it is: gRPC, TCP, UDP, or HTTP in plain text, by prior knowledge of HTTP/2, and by TLS where it has a certificate. */
export function createEchoBasic(facts: ProgramFacts): PortServer {
  const context: EchoContext = {
    namespace: facts.env("NAMESPACE"),
    ingress: facts.env("INGRESS_NAME"),
    service: facts.env("SERVICE_NAME"),
    pod: facts.env("POD_NAME"),
  };
  const ports = portsOf(facts, context);
  const at = (port: number, transport: PortTransport): Serve | undefined => ports.get(`${port}/${transport}`);
  return {
    listens: (port, transport) => at(port, transport) !== undefined,
    serve(connection, port, transport) {
      const serve = at(port, transport);
      if (serve) serve(connection);
      else connection.destroy();
    },
  };
}

function portsOf(facts: ProgramFacts, context: EchoContext): ReadonlyMap<string, Serve> {
  const { env } = facts;
  const ports = new Map<string, Serve>();
  const listen = (variable: string, byDefault: number, serve: Serve, transport: PortTransport = "tcp"): void =>
    void ports.set(`${env(variable) || byDefault}/${transport}`, serve);
  if (env("UDP_ECHO_SERVER") !== "") {
    listen("UDP_PORT", 8080, (connection) => serveUdpEcho(connection, context), "udp");
  } else if (env("TCP_ECHO_SERVER") !== "") {
    const about = { ...context, tcpport: env("TCP_PORT") || "3000", tlsport: env("TLS_PORT") || "8443" };
    listen("TCP_PORT", 3000, (connection) => serveTcpEcho(connection, about, undefined));
    if (env("TLS_SERVER_CERT") !== "" && env("TLS_SERVER_PRIV_KEY") !== "")
      listen("TLS_PORT", 8443, (connection) =>
        serveTls(connection, facts, "TLS_SERVER_PRIV_KEY", (secure) => serveTcpEcho(secure, about, secure)),
      );
  } else if (env("GRPC_ECHO_SERVER") !== "") {
    const echo = createGrpcEcho(context);
    listen("HTTP_PORT", 3000, echo.plain);
    if (env("TLS_SERVER_CERT") !== "" && env("TLS_SERVER_PRIV_KEY") !== "")
      listen("HTTPS_PORT", 8443, (connection) =>
        serveTls(connection, facts, "TLS_SERVER_PRIV_KEY", echo.secure, ["h2"]),
      );
  } else {
    const echo = createHttpEcho(facts, context);
    listen("HTTP_PORT", 3000, echo.plain);
    listen("H2C_PORT", 3001, echo.h2c);
    if (env("TLS_SERVER_CERT") !== "" && env("TLS_SERVER_PRIVKEY") !== "")
      listen("HTTPS_PORT", 8443, (connection) =>
        serveTls(connection, facts, "TLS_SERVER_PRIVKEY", echo.secure, ["h2", "http/1.1"]),
      );
  }
  return ports;
}
