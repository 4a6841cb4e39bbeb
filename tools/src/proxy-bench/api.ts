import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { parseKubeconfig } from "../upstream/index.js";

/** Requests to the API server of a kubeconfig, by JSON. */
export interface Api {
  send(method: "POST" | "PUT" | "DELETE" | "GET", path: string, body?: object): Promise<unknown>;
  close(): void;
}

export function openApi(kubeconfig: string): Api {
  const { server, certificateAuthority, clientCertificate, clientKey } = parseKubeconfig(
    readFileSync(kubeconfig, "utf8"),
  );
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 16,
    ca: certificateAuthority,
    cert: clientCertificate,
    key: clientKey,
  });
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const content = body === undefined ? "" : JSON.stringify(body);
        // Node sends the body of a DELETE without its length unless it is given.
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(content) };
        const asked = request(`${server}${path}`, { method, agent, headers }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(text));
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
          });
        });
        asked.on("error", reject);
        asked.end(content);
      }),
    close: () => agent.destroy(),
  };
}

/** Does `work` for 0 to count - 1, sixteen at a time. */
export async function inParallel(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
