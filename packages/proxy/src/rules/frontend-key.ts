import type { Frontend, PortFrontends } from "../frontends/frontend.js";

/** "10.96.0.1 . tcp . 80", or "tcp . 30080" for a node port: the key of a frontend in the maps. */
export const frontendKey = (
  { protocol }: Pick<PortFrontends, "protocol">,
  { address, port }: Pick<Frontend, "address" | "port">,
): string => (address === undefined ? `${protocol} . ${port}` : `${address} . ${protocol} . ${port}`);
