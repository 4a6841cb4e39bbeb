import { readFileSync } from "node:fs";
import { type ConnectionOptions, connect } from "node:tls";
import { removeDataDir, startCoxswain } from "../../clients/index.js";
import { parseKubeconfig } from "../../upstream/index.js";
import { BrokenPromise, type FuzzTarget, seed } from "../fuzz-target.js";

const get = "GET /api/v1/namespaces/default HTTP/1.1\r\nHost: x\r\n";

const words = [
  "\r\n",
  "\r\n\r\n",
  "HTTP/1.0",
  "HTTP/2.0",
  "Host: ",
  "Content-Length: ",
  "Transfer-Encoding: chunked\r\n",
  "Connection: ",
  "Upgrade: ",
  "SPDY/3.1",
  "Expect: 100-continue\r\n",
  "Impersonate-User: bob\r\n",
  "Authorization: Bearer ",
  "DELETE ",
  "PATCH ",
  "HEAD ",
  "OPTIONS * ",
  "CONNECT ",
  "?watch=1&timeoutSeconds=1",
  "%2e%2e/",
  "%00",
  "//",
  "0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "Accept: ",
  "Accept-Encoding: gzip\r\n",
  "/metrics",
  "/openapi/v2",
  "/apis",
  "/log",
];

/**
 * What a client sends on a connection of HTTP/1.1 before it ends its side. The server, a process of its own, answers in HTTP or with
 * nothing, ends the connection, and goes on: every fiftieth time another client is answered.
 */
export async function http1Target(): Promise<FuzzTarget> {
  const server = await startCoxswain({ args: ["--storage=memory", "--log-level=error"] });
  const access = parseKubeconfig(readFileSync(server.kubeconfig, "utf8"));
  const tls: ConnectionOptions = {
    host: "127.0.0.1",
    port: server.port,
    ca: access.certificateAuthority,
    ...(access.clientCertificate === undefined ? {} : { cert: access.clientCertificate }),
    ...(access.clientKey === undefined ? {} : { key: access.clientKey }),
    ALPNProtocols: ["http/1.1"],
  };
  const send = (bytes: Uint8Array, { ends = true } = {}): Promise<string> =>
    new Promise((resolve) => {
      let answer = "";
      const socket = connect(tls, () => void (ends ? socket.end(bytes) : socket.write(bytes)));
      socket.setEncoding("latin1").on("data", (chunk: string) => (answer += chunk));
      socket.on("error", () => {});
      socket.once("close", () => resolve(answer));
    });
  /** It keeps its side open: a client that ends it before it is answered has left, and a busy server notices that first. */
  const checkOthers = async (): Promise<void> => {
    const answer = await send(seed(`${get}Connection: close\r\n\r\n`), { ends: false });
    if (!answer.startsWith("HTTP/1.1 200"))
      throw new BrokenPromise(
        `another client is answered ${JSON.stringify(answer.slice(0, 200))}:\n${server.output()}`,
      );
  };
  let runs = 0;
  return {
    name: "http1-bytes",
    maxLength: 16_384,
    seeds: [
      seed(`${get}Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n\r\n`),
      seed(`${get}\r\n${get}Connection: close\r\n\r\n`),
      seed(
        'POST /api/v1/namespaces/default/configmaps?dryRun=All HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n{"metadata":{"generateName":"fuzz"}}',
      ),
      seed(
        'POST /api/v1/namespaces/default/configmaps?dryRun=All HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n10;x=y\r\n{"metadata":{"ge\r\n14\r\nnerateName":"fuzz"}}\r\n0\r\nX: y\r\n\r\n',
      ),
      seed(
        `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      ),
    ],
    words,
    async run(input) {
      const answer = await send(input);
      if (answer !== "" && !/^HTTP\/1\.1 \d{3} /.test(answer)) throw new BrokenPromise("an answer that is no HTTP");
      if (++runs % 50 === 0) await checkOthers();
      return answer.startsWith("HTTP/1.1 2");
    },
    async stop() {
      await server.stop("SIGKILL");
      removeDataDir(server);
    },
  };
}
