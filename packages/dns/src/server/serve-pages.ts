import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListenAddress, Listening } from "./listening.js";

export interface PlainPage {
  readonly status: number;
  readonly body: string;
  /** @default text/plain */
  readonly contentType?: string;
}

/** Serves pages by their paths over plain HTTP, as CoreDNS's `health`, `ready` and `prometheus` plugins. */
export async function servePages(
  address: ListenAddress,
  pages: Readonly<Record<string, () => PlainPage>>,
): Promise<Listening> {
  const server = createServer(
    { headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 5000 },
    (request, response) => {
      request.resume();
      const path = (request.url ?? "/").split("?", 1)[0]!;
      const page = Object.hasOwn(pages, path) ? pages[path]!() : { status: 404, body: "404 page not found\n" };
      response.writeHead(page.status, { "content-type": page.contentType ?? "text/plain; charset=utf-8" });
      response.end(page.body);
    },
  );
  server.listen(address.port, address.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
