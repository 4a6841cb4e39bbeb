import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";

/** An empty API server in memory that objects are created in, as in a new cluster. */
export interface CheckServer {
  readonly client: Client;
  /** Makes a namespace as controllers would, once: pods need its service account. */
  ensureNamespace(name: string): Promise<void>;
  /** What the server warned of since the last call. */
  takeWarnings(): string[];
  stop(): Promise<void>;
}

/** Who applies. Policies may look at it. */
const user = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

export async function startCheckServer(runtime: Runtime): Promise<CheckServer> {
  const server = await startApiServer({
    runtime,
    store: createMemoryStore({ runtime }),
    preparedObjects: async () => (await import("../prepared-objects/none.js")).default,
  });
  let warnings: string[] = [];
  const client = createClient({
    transport: createInProcessTransport(server, { user, clock: runtime.clock }),
    userAgent: "kubectl",
    runtime,
    maxRetries: 0,
    onWarning: (text) => void warnings.push(text),
  });
  const made = new Set<string>();
  return {
    client,
    async ensureNamespace(name) {
      if (made.has(name)) return;
      made.add(name);
      await unlessThere(client.core.v1.namespaces().create({ metadata: { name } }));
      await unlessThere(client.core.v1.serviceaccounts(name).create({ metadata: { name: "default" } }));
    },
    takeWarnings() {
      const taken = warnings;
      warnings = [];
      return taken;
    },
    stop: () => server.stop(),
  };
}

async function unlessThere(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
