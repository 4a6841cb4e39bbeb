import type { Interceptor } from "@coxswain/client/transport";

/** Sends requests as the node by impersonation: thousands of nodes share one connection, and each is authorized as itself. */
export const actAsNode =
  (nodeName: string): Interceptor =>
  (next) => {
    const impersonation = { "impersonate-user": `system:node:${nodeName}`, "impersonate-group": "system:nodes" };
    return {
      send: (request) => next.send({ ...request, headers: { ...request.headers, ...impersonation } }),
      watch: (request) => next.watch({ ...request, headers: { ...request.headers, ...impersonation } }),
      close: () => next.close(),
    };
  };
