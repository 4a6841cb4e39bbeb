import { once } from "node:events";
import { createServer } from "node:net";
import { isPortFree } from "./choose-port.js";

/** Ports that clusters of one machine take for their Ingresses and Gateways, each the first that is free with that for HTTPS. */
const ports = Array.from({ length: 100 }, (_, at) => 8080 + at);
const host = "127.0.0.1";
/** From the port for HTTP to that for HTTPS, as from 80 to 443. */
const toHttps = 443 - 80;

/** 0: none is free. Nothing listens there before a cluster has a route: another one that starts meanwhile is kept away by a claim. */
export async function freeGatewayPort(candidates: readonly number[] = ports): Promise<number> {
  for (const port of candidates)
    if ((await claim(port)) && (await isPortFree(port, host)) && (await isPortFree(port + toHttps, host))) return port;
  return 0;
}

/** A Unix socket in Linux's abstract namespace: the kernel drops it with the process, however that ends. Elsewhere nothing is claimed. */
async function claim(port: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const server = createServer((socket) => socket.destroy()).unref();
  server.listen({ path: `\0coxswain/gateway/${port}` });
  return listens(server);
}

const listens = (server: ReturnType<typeof createServer>): Promise<boolean> =>
  once(server, "listening").then(
    () => true,
    () => false, // taken
  );
