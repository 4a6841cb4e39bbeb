import { STATUS_CODES } from "node:http";
import type { PortStreams } from "../runtime/container-runtime.js";

/** Bytes of a request's head; a client that sends more is no HTTP client. */
const maxHead = 16 * 1024;

export interface PortAnswer {
  readonly pod: string;
  readonly port: number;
  /** Of HTTP answers. @default the request and the pod, as JSON */
  readonly body?: string | undefined;
  /** @default 200 */
  readonly status?: number | undefined;
}

/**
 * Answers a connection as a simulated container: an HTTP request gets a page with the request and the pod, everything
 * else is sent back.
 */
export async function answerPort({ incoming, write }: PortStreams, who: PortAnswer): Promise<void> {
  let head = "";
  for await (const chunk of incoming) {
    if (head === "echo") {
      write(chunk);
      continue;
    }
    head += Buffer.from(chunk).toString("latin1");
    const isHttp = /^[A-Z]{3,7} [^ \r\n]{1,2000} HTTP\/1\.[01]\r?\n/.exec(head);
    if (!isHttp && (head.includes("\n") || head.length > maxHead)) {
      write(Buffer.from(head, "latin1"));
      head = "echo";
      continue;
    }
    if (!isHttp || !/\r?\n\r?\n/.test(head)) continue;
    write(pageFor(head, who));
    return;
  }
}

function pageFor(head: string, { pod, port, body: given, status = 200 }: PortAnswer): Uint8Array {
  const [method = "", path = ""] = head.split(" ", 2);
  const body = `${given ?? JSON.stringify({ pod, port, method, path })}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `Content-Type: ${given === undefined ? "application/json" : "text/plain"}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${method === "HEAD" ? "" : body}`);
}
