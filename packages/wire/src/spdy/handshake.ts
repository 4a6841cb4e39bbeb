import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { acceptUpgrade, asksForUpgrade, requestUpgrade, type UpgradeOptions } from "../upgrade/index.js";
import { createSpdyConnection, type SpdyConnection, type SpdyOptions } from "./connection.js";

const protocol = "SPDY/3.1";

export const isSpdyRequest = (headers: IncomingHttpHeaders): boolean => asksForUpgrade(headers, protocol);

/** Changes a connection's protocol as asked for. `headers` go with the answer. */
export function acceptSpdy(
  socket: Duplex,
  head: Uint8Array,
  options: Omit<SpdyOptions, "role" | "head"> & { readonly headers?: Readonly<Record<string, string>> },
): SpdyConnection {
  acceptUpgrade(socket, protocol, options.headers);
  return createSpdyConnection(socket, { ...options, role: "server", head });
}

/** @throws UpgradeRefused when the server answers something else */
export async function connectSpdy(
  options: Omit<UpgradeOptions, "protocol"> & Omit<SpdyOptions, "role" | "head">,
): Promise<{ connection: SpdyConnection; headers: IncomingHttpHeaders }> {
  const { socket, head, headers } = await requestUpgrade({ ...options, protocol });
  return { connection: createSpdyConnection(socket, { ...options, role: "client", head }), headers };
}
