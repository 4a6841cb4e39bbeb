import type { Duplex } from "node:stream";
import { splice } from "./splice.js";
import type { UpgradeCall } from "./upgrade.js";

/** Headers that are between the client and the kubelet. */
const own = new Set(["host", "authorization", "content-length", "transfer-encoding"]);

/**
 * Hands a request to change protocols on to another server, and from then on bytes in both directions: its answer is the client's
 * answer, and whatever protocol they agree on is theirs (pkg/kubelet/server/server.go, getExec; an UpgradeAwareHandler there).
 */
export function relayUpgrade({ request, socket, head }: UpgradeCall, url: URL, backend: Duplex): void {
  backend.write(requestHead(request, url), "latin1");
  if (head.length > 0) backend.write(head);
  splice(socket, backend);
}

function requestHead({ method = "GET", rawHeaders }: UpgradeCall["request"], url: URL): string {
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = rawHeaders.slice(i, i + 2);
    if (!own.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}
