import { userHeader } from "@coxswain/apiserver";
import { createClient } from "@coxswain/client";
import { bearerToken, createNodeTransport, fixedIdentity } from "@coxswain/client/node";
import { countRequests, type Interceptor, type TransportRequest } from "@coxswain/client/transport";
import { claimCauses, type WorkRecorder, writerOf } from "@coxswain/client/work";
import type { Runtime } from "@coxswain/runtime";
import type { ComponentClients } from "../users/component-clients.js";

export interface PartClientsOptions {
  /** The API server's socket. */
  readonly socket: string;
  readonly token: string;
  readonly runtime: Runtime;
  /** What this process works on: its writes name it. */
  readonly works: WorkRecorder;
}

export interface PartClients {
  readonly clientOf: ComponentClients;
  close(): Promise<void>;
}

/** Clients of a part of the cluster, which is a process of its own: all its users share the connections to the API server's socket. */
export function createPartClients({ socket, token, runtime, works }: PartClientsOptions): PartClients {
  const transport = createNodeTransport({
    server: `unix://${socket}`,
    identity: fixedIdentity(bearerToken(token)),
    disableCompression: true,
    environment: {},
    runtime,
  });
  const counted = countRequests(transport, runtime.activity);
  return {
    clientOf: (user, userAgent) =>
      createClient({
        transport: counted,
        userAgent,
        runtime,
        onWarning: () => {}, // for people; components do what they do
        interceptors: [claimCauses(works, writerOf(user.name) ?? ""), asUser(user.name), withoutManagedFields],
      }),
    close: () => transport.close(),
  };
}

const withHeaders = (request: TransportRequest, headers: Readonly<Record<string, string>>): TransportRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/** The server checks that this process may be that user. */
const asUser = (name: string): Interceptor => {
  const headers = { [userHeader]: name };
  return (next) => ({
    send: (request) => next.send(withHeaders(request, headers)),
    watch: (request) => next.watch(withHeaders(request, headers)),
    close: () => next.close(),
  });
};

/** Components do not read them: what they keep of objects is half as large. */
const withoutManagedFields: Interceptor = (next) => ({
  send: (request) => next.send(request),
  watch: (request) => {
    const accept = request.headers?.["accept"] ?? "application/json";
    return next.watch(withHeaders(request, { accept: `${accept.split(",")[0]};drop=metadata.managedFields` }));
  },
  close: () => next.close(),
});
