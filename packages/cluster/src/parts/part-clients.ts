import { userHeader } from "@coxswain/apiserver";
import { createClient } from "@coxswain/client";
import { bearerToken, createNodeTransport, fixedIdentity } from "@coxswain/client/node";
import { countRequests, type Interceptor, type Transport, type TransportRequest } from "@coxswain/client/transport";
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
  const open = () =>
    createNodeTransport({
      server: `unix://${socket}`,
      identity: fixedIdentity(bearerToken(token)),
      disableCompression: true,
      environment: {},
      runtime,
    });
  const transport = countRequests(besideHeartbeats(open(), open()), runtime.activity);
  return {
    clientOf: (user, userAgent) =>
      createClient({
        transport,
        userAgent,
        runtime,
        onWarning: () => {}, // for people; components do what they do
        interceptors: [claimCauses(works, writerOf(user.name) ?? ""), asUser(user.name), withoutManagedFields],
      }),
    close: () => transport.close(),
  };
}

/**
 * Leases have a connection of their own: on a shared one they would wait behind the bytes of every status and event that was sent before,
 * and a node whose lease is late counts as dead. The server gives each connection its share.
 */
const besideHeartbeats = (others: Transport, heartbeats: Transport): Transport => {
  const wayOf = ({ path }: TransportRequest): Transport =>
    path.startsWith("/apis/coordination.k8s.io/") ? heartbeats : others;
  return {
    send: (request) => wayOf(request).send(request),
    watch: (request) => others.watch(request),
    close: async () => void (await Promise.all([others.close(), heartbeats.close()])),
  };
};

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
