import { once } from "node:events";
import { createServer } from "node:http";

/** `/healthz` over plain HTTP, as the kubelet has it: whether the process answers. Resolves when it listens. */
export async function serveHealth(port: number, host: string): Promise<{ stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isThere = request.url === "/healthz" || request.url === "/healthz/ping";
    response.writeHead(isThere ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(isThere ? "ok" : "404 page not found\n");
  });
  server.listen(port, host);
  await once(server, "listening");
  return { stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
