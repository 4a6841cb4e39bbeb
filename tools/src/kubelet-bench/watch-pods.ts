import { readFileSync } from "node:fs";
import { request } from "node:https";
import { createInterface } from "node:readline";
import { parseKubeconfig } from "../upstream/index.js";

interface WatchedPod {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly phase?: string };
}

/** The phases of all pods, as they come. */
export interface PodWatch {
  /** Resolves to the moment when the pod was seen in this phase, or gone. */
  until(name: string, phase: "Running" | "gone"): Promise<number>;
  close(): void;
}

export function watchPods(kubeconfig: string): PodWatch {
  const { server, certificateAuthority, clientCertificate, clientKey } = parseKubeconfig(
    readFileSync(kubeconfig, "utf8"),
  );
  const waiting = new Map<string, (at: number) => void>();
  const phases = new Map<string, { readonly phase: string; readonly at: number }>();
  const asked = request(
    `${server}/api/v1/namespaces/default/pods?watch=1&timeoutSeconds=7200`,
    { ca: certificateAuthority, cert: clientCertificate, key: clientKey },
    (answer) => {
      const lines = createInterface({ input: answer });
      lines.on("error", () => {}); // closed below
      lines.on("line", (line) => {
        const at = performance.now();
        const { type, object } = JSON.parse(line) as { type: string; object: WatchedPod };
        const phase = type === "DELETED" ? "gone" : (object.status?.phase ?? "");
        const { name } = object.metadata;
        if (phases.get(name)?.phase !== phase) phases.set(name, { phase, at });
        waiting.get(`${name}/${phase}`)?.(at);
      });
    },
  );
  asked.on("error", () => {}); // closed below
  asked.end();
  return {
    until(name, phase) {
      const known = phases.get(name);
      if (known?.phase === phase) return Promise.resolve(known.at);
      return new Promise((resolve) => {
        const key = `${name}/${phase}`;
        waiting.set(key, (at) => {
          waiting.delete(key);
          resolve(at);
        });
      });
    },
    close: () => asked.destroy(),
  };
}
