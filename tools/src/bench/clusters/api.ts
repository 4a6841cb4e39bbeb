import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterAccess } from "../../upstream/kubeconfig.js";

/** Single requests of an administrator, beside those that make load. */
export interface Api {
  /** Any status is an answer. */
  send(method: string, path: string, body?: object, contentType?: string): Promise<{ status: number; body: unknown }>;
  /** @throws Error when the answer is no success */
  create(path: string, body: object): Promise<void>;
  /** Asks for an object until `isEnough`. */
  until<T>(path: string, isEnough: (object: T) => boolean, everyMs?: number): Promise<T>;
  close(): void;
}

/** Requests after `signal` has aborted are rejected with its reason, so that a wait for an object ends with the row. */
export function connectApi(access: ClusterAccess, signal: AbortSignal): Api {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 16,
    ca: access.certificateAuthority,
    ...(access.clientCertificate !== undefined && { cert: access.clientCertificate, key: access.clientKey }),
  });
  const send: Api["send"] = (method, path, body, contentType = "application/json") =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        accept: "application/json",
        ...(text !== undefined && { "content-type": contentType, "content-length": Buffer.byteLength(text) }),
        ...(access.token !== undefined && { authorization: `Bearer ${access.token}` }),
      };
      const asked = request(`${access.server}${path}`, { method, agent, headers, signal }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const all = Buffer.concat(parts).toString();
          resolve({ status: answer.statusCode ?? 0, body: all.startsWith("{") ? JSON.parse(all) : all });
        });
      });
      asked.on("error", (error) => reject(signal.aborted ? signal.reason : error));
      asked.end(text);
    });
  return {
    send,
    async create(path, body) {
      const { status, body: answer } = await send("POST", path, body);
      if (status !== 201) throw new Error(`POST ${path} was answered with ${status}: ${JSON.stringify(answer)}`);
    },
    async until<T>(path: string, isEnough: (object: T) => boolean, everyMs = 20) {
      for (;;) {
        const { status, body } = await send("GET", path);
        if (status === 200 && isEnough(body as T)) return body as T;
        await sleep(everyMs);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Calls `act` for 0 to `count - 1`, so many at once. */
export async function inParallel(count: number, atOnce: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await act(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
