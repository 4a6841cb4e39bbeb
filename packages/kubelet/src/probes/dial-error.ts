import { joinHostPort } from "./http-get-request.js";

/** How Go words what the system answers to connect, read and write. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset by peer",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "network is unreachable",
  ETIMEDOUT: "connection timed out",
  EADDRNOTAVAIL: "cannot assign requested address",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EPIPE: "broken pipe",
  EINVAL: "invalid argument",
};

interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
}

/** Pure: a failed connection as Go's net package names it, since users search for these words. */
export function dialError(error: Error, host: string, port: number): string {
  const { code = "", syscall, message } = error as SystemError;
  if (syscall === "getaddrinfo") return `dial tcp: lookup ${host}: ${code === "ENOTFOUND" ? "no such host" : message}`;
  const word = words[code];
  if (syscall === "connect") return `dial tcp ${joinHostPort(host, port)}: connect: ${word ?? message}`;
  if (word !== undefined) return `${syscall ?? "read"} tcp ${joinHostPort(host, port)}: ${syscall ?? "read"}: ${word}`;
  return message;
}
