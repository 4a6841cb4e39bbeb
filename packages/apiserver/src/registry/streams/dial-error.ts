import { dialText } from "../../webhook/dial-text.js";
import { dialAddress, type Location } from "./location.js";

/** Another server could not be reached, or went away; with Go's messages, which clients and their users know. */
export class DialError extends Error {
  constructor(location: Location, cause: unknown) {
    super(textOf(location, cause), { cause });
    this.name = "DialError";
  }
}

export class DialTimeout extends Error {}

function textOf(location: Location, cause: unknown): string {
  // Of the host that was found by its name, where a connect failed.
  const { syscall, address: found } = cause as { syscall?: string; address?: string };
  const address = dialAddress(
    syscall === "connect" && found !== undefined ? { ...location, hostname: found } : location,
  );
  if (cause instanceof DialTimeout) return `dial tcp ${address}: i/o timeout`;
  return dialText({ hostname: location.tls.servername ?? location.hostname, address }, cause);
}
