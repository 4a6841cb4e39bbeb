import { type ApiServer, createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests, type Transport } from "@coxswain/client/transport";
import type { Runtime } from "@coxswain/runtime";

export interface InProcessClientsOptions {
  readonly server: Pick<ApiServer, "answer" | "serve">;
  readonly runtime: Runtime;
  /** Whether watches end when their time is over, as those of HTTP clients do. @default true */
  readonly endsWatches?: boolean | undefined;
  /** Around each transport, for tests that let connections fail. @default none */
  readonly wrapTransport?: ((transport: Transport) => Transport) | undefined;
}

/** Clients of a server in this process, by user and by the name in their User-Agent, which managed fields show. */
export const createInProcessClients =
  ({ server, runtime, endsWatches = true, wrapTransport = (transport) => transport }: InProcessClientsOptions) =>
  (user: UserInfo, userAgent: string): Client =>
    createClient({
      transport: countRequests(
        wrapTransport(createInProcessTransport(server, { user, clock: runtime.clock, endsWatches })),
        runtime.activity,
      ),
      userAgent,
      runtime,
      onWarning: () => {}, // for people; components do what they do
    });
