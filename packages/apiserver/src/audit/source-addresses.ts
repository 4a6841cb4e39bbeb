import { isIP } from "node:net";
import { firstLine } from "../request/header-lines.js";
import type { ApiRequest } from "../request/request.js";

/** Where a request came from, as far as proxies on the way report it: X-Forwarded-For, X-Real-Ip, then the connection itself. Only the last is proven. */
export function sourceAddresses(request: ApiRequest): string[] {
  const { caller } = request;
  const forwarded = (firstLine(request, "x-forwarded-for") ?? "").split(",").map((text) => text.trim());
  const addresses = forwarded.filter((text) => isIP(text) !== 0);
  const real = firstLine(request, "x-real-ip") ?? "";
  if (isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real);
  const remote = caller.via === "socket" ? caller.remoteAddress : "";
  return remote === "" || addresses.at(-1) === remote ? addresses : [...addresses, remote];
}
