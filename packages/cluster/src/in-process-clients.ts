import type { Activity, Clock } from "@coxswain/apimachinery/clock";
import { type ApiServer, createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests } from "@coxswain/client/transport";

export interface InProcessClientsOptions {
  readonly server: Pick<ApiServer, "answer" | "serve">;
  readonly clock: Clock;
  readonly activity: Activity;
}

/** Clients of a server in this process, by user and by the name in their User-Agent, which managed fields show. */
export const createInProcessClients =
  ({ server, clock, activity }: InProcessClientsOptions) =>
  (user: UserInfo, userAgent: string): Client =>
    createClient({
      transport: countRequests(createInProcessTransport(server, { user, clock }), activity),
      userAgent,
      clock,
      onWarning: () => {}, // for people; components do what they do
    });
