import type { UserInfo } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";

/** Clients of one API server by user, and by the name in their User-Agent, which managed fields show. */
export type ComponentClients = (user: UserInfo, userAgent: string) => Client;
