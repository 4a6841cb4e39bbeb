import { quoteGo } from "@coxswain/apimachinery/field";
import { badRequest } from "@coxswain/apimachinery/status";

export interface SchemeNamePort {
  readonly scheme: "http" | "https";
  readonly name: string;
  /** A number or a name; "" where none was given. */
  readonly port: string;
}

/** `name`, `name:port` or `scheme:name:port`. @throws StatusError 400 */
export function splitSchemeNamePort(id: string, what: string): SchemeNamePort {
  const parts = id.split(":");
  const [scheme, name, port] = parts.length === 3 ? parts : ["", ...parts, ""];
  const valid = parts.length <= 3 && name !== "" && (scheme === "" || scheme === "http" || scheme === "https");
  if (!valid || name === undefined) throw badRequest(`invalid ${what} request ${quoteGo(id)}`);
  return { scheme: scheme === "https" ? "https" : "http", name, port: port ?? "" };
}
