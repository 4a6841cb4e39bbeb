import { runtimeFrom } from "@coxswain/runtime";
import type { Activity } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";
import { type ApiServer, createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests, type Transport } from "@coxswain/client/transport";

export interface InProcessClientsOptions {
  readonly server: Pick<ApiServer, "answer" | "serve">;
  readonly clock: Clock;
  readonly activity: Activity;
  /** As of the in-process transport. @default true */
  readonly endsWatches?: boolean | undefined;
  /** Around each transport, for tests that let connections fail. @default none */
  readonly wrapTransport?: (transport: Transport) => Transport;
}

/** Clients of a server in this process, by user and by the name in their User-Agent, which managed fields show. */
export const createInProcessClients =
  ({
    server,
    clock,
    activity,
    endsWatches = true,
    wrapTransport = (transport) => transport,
  }: InProcessClientsOptions) =>
  (user: UserInfo, userAgent: string): Client =>
    createClient({
      transport: countRequests(wrapTransport(createInProcessTransport(server, { user, clock, endsWatches })), activity),
      userAgent,
      runtime: runtimeFrom({ clock, activity }),
      onWarning: () => {}, // for people; components do what they do
    });
