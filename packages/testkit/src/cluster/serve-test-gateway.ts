import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { ApiServer } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { type HttpAnswer, HttpClient, type HttpRequest } from "@coxswain/wire/http";

/** The way into a test's cluster from outside. */
export interface TestGateway {
  /** Of 127.0.0.1, for browsers and programs in other processes: `http://web.localhost:${port}`. Port 443 is 363 behind it. */
  readonly port: number;
  /**
   * Asks as a client outside of the cluster: `gateway.fetch("http://web.localhost/")`, or any other host of a route. The ports 80 and 443 of
   * Ingresses and Gateways are those that URLs have without a number. Time-outs of routes are in the cluster's time.
   */
  fetch(url: string, request?: Pick<HttpRequest, "method" | "headers" | "body">): Promise<HttpAnswer>;
}

export interface TestGatewayOptions {
  /** Makes the definitions of the Gateway API, and a GatewayClass `coxswain`: half a second. @default false: Ingresses, until a test makes them itself */
  readonly gatewayApi?: boolean;
}

export interface ServedTestGateway extends TestGateway {
  stop(): Promise<void>;
}

const host = "127.0.0.1";
const toHttps = 443 - 80;
/** What a test asks for is answered in time that is its machine's. */
const limits = { timeoutMs: 60_000, maxBytes: 64 * 1024 * 1024 };

/** Serves a cluster's Ingresses and Gateways by sockets of loopback. `network` is asked for each connection: a restored cluster has another one. */
export async function serveTestGateway(
  runtime: Runtime,
  { client, network }: { readonly client: Client; readonly network: () => ApiServer["network"] },
  { gatewayApi = false }: TestGatewayOptions,
): Promise<ServedTestGateway> {
  const { serveGateway } = await import("@coxswain/cluster/gateway");
  const port = await freePort();
  const gateway = await serveGateway(runtime, {
    client,
    network: { connectInside: (dial) => network().connectInside(dial) },
    port,
    addresses: undefined,
    localCertificate: undefined,
    withDefinitions: gatewayApi,
  });
  const { ioClock } = systemRuntime();
  const http = new HttpClient({
    ioClock,
    tls: { insecure: true },
    dial: (_host, asked) => ({ host, port: asked - 80 + port }),
  });
  return {
    port,
    fetch: (url, request = {}) => http.exchange({ url, ...request, ...limits }),
    async stop() {
      http.stop();
      await gateway.stop();
    },
  };
}

/** One that was free just now, with that for HTTPS. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = await listensAt(0);
    if (port && (await listensAt(port + toHttps))) return port;
  }
}

async function listensAt(wanted: number): Promise<number | undefined> {
  const server = createServer().listen(wanted, host);
  try {
    await once(server, "listening");
  } catch {
    return undefined; // somebody else's, or past the last one
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
