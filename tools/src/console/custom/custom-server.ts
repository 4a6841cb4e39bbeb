import { spawn } from "node:child_process";
import { once } from "node:events";
import type { JsonObject } from "../../record/index.js";

/** What an API server answered: the value, or the words of a refusal. */
export interface CustomAnswer {
  readonly status: number;
  readonly value: JsonObject;
}

/** Requests to a cluster as its kubeconfig has it, by `kubectl proxy`. */
export interface CustomServer {
  send(method: string, path: string, body?: JsonObject, accept?: string): Promise<CustomAnswer>;
  stop(): Promise<void>;
}

export async function openServer(kubeconfig: string): Promise<CustomServer> {
  const proxy = spawn("kubectl", ["--kubeconfig", kubeconfig, "proxy", "--port", "0"]);
  const origin = await new Promise<string>((resolve, reject) => {
    let printed = "";
    proxy.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (found !== undefined) resolve(`http://${found}`);
    });
    proxy.once("exit", (code) => reject(new Error(`kubectl proxy ended with ${code}: ${printed}`)));
  });
  return {
    async send(method, path, body, accept = "application/json") {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: { accept, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, value: (await answer.json()) as JsonObject };
    },
    async stop() {
      proxy.kill("SIGINT");
      if (proxy.exitCode === null) await once(proxy, "exit");
    },
  };
}
