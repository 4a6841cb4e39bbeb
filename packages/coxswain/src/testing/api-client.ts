import { readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";

export interface ApiObject {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

export interface ApiEvent {
  readonly type: string;
  readonly object: ApiObject;
}

/** Requests as an administrator, as small as they can be: what is tested is the other side. */
export interface ApiClient {
  /** Rejects when the answer is no success, or there is none. */
  send<T = ApiObject>(method: string, path: string, body?: unknown): Promise<T>;
  /** What a GET answers, whatever it is. */
  read(path: string): Promise<{ readonly code: number; readonly text: string }>;
  /** Resolves when the stream ends, for whatever reason. */
  watch(path: string, onEvent: (event: ApiEvent) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

export function connectApi(kubeconfig: string): ApiClient {
  const text = readFileSync(kubeconfig, "utf8");
  const field = (name: string): string => new RegExp(`${name}"?: *"?([^"\\s,]+)`).exec(text)?.[1] ?? "";
  const pem = (name: string): string => Buffer.from(field(`${name}-data`), "base64").toString();
  const agent = new Agent({
    keepAlive: true,
    ca: pem("certificate-authority"),
    cert: pem("client-certificate"),
    key: pem("client-key"),
  });
  const server = new URL(field("server"));
  const options = (method: string, path: string): RequestOptions => ({
    agent,
    host: server.hostname,
    port: server.port,
    method,
    path,
    headers: { "content-type": "application/json", accept: "application/json" },
  });

  const exchange = (method: string, path: string, body?: unknown) =>
    new Promise<{ readonly code: number; readonly text: string }>((resolve, reject) => {
      const call = request(options(method, path), (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
        response.on("error", reject).once("end", () => resolve({ code: response.statusCode ?? 500, text }));
      });
      call.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });

  return {
    async send<T>(method: string, path: string, body?: unknown) {
      const { code, text } = await exchange(method, path, body);
      if (code >= 300) throw new Error(`${method} ${path}: ${code} ${text}`);
      return JSON.parse(text) as T;
    },
    read: (path) => exchange("GET", path),
    watch: (path, onEvent, signal) =>
      new Promise<void>((resolve) => {
        const call = request({ ...options("GET", path), signal }, (response) => {
          let held = "";
          response.setEncoding("utf8").on("data", (chunk) => {
            const lines = (held + String(chunk)).split("\n");
            held = lines.pop() ?? "";
            for (const line of lines) onEvent(JSON.parse(line) as ApiEvent);
          });
          response.on("error", () => undefined).once("close", () => resolve());
        });
        call.on("error", () => resolve()).end();
      }),
    close: () => agent.destroy(),
  };
}
