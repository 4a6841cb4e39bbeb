import { type ApiServer, createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests, type Transport } from "@coxswain/client/transport";
import type { Runtime } from "@coxswain/runtime";

export interface InProcessClientsOptions {
  readonly server: Pick<ApiServer, "answer" | "serve">;
  readonly runtime: Runtime;
  /** Whether watches end when their time is over, as those of HTTP clients do. @default true */
  readonly endsWatches?: boolean | undefined;
  /** Objects in watches come without managedFields: for components, which do not read them. */
  readonly dropsManagedFields: boolean;
  /** Their requests wait for a turn, each user's for its own: for components that send hundreds at once. @default false */
  readonly takesTurns?: boolean;
  /** Around each transport, for tests that let connections fail. @default none */
  readonly wrapTransport?: ((transport: Transport) => Transport) | undefined;
}

/** Clients of a server in this process, by user and by the name in their User-Agent, which managed fields show. */
export const createInProcessClients =
  (options: InProcessClientsOptions) =>
  (user: UserInfo, userAgent: string): Client => {
    const { server, runtime, endsWatches = true, dropsManagedFields, takesTurns = false, wrapTransport } = options;
    const transport = createInProcessTransport(server, {
      user,
      clock: runtime.clock,
      endsWatches,
      dropsManagedFields,
      ...(takesTurns && { scheduler: runtime.scheduler }),
    });
    return createClient({
      transport: countRequests(wrapTransport?.(transport) ?? transport, runtime.activity),
      userAgent,
      runtime,
      onWarning: () => {}, // for people; components do what they do
    });
  };
