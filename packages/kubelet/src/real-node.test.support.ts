import { join } from "node:path";
import type { Pod, PodSpec } from "@coxswain/api/core/v1";
import type { ObjectMeta } from "@coxswain/api/meta/v1";
import { type ApiServer, createInProcessTransport, startApiServer, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { pollUntil } from "@coxswain/runtime/wait";
import { createMemoryStore } from "@coxswain/storage/memory";
import { busyboxRef } from "@coxswain/tools/images";
import { startTestMachine, type TestMachine } from "@coxswain/tools/nodes";
import type { RealKubeletConfig } from "./node/real-config.js";
import type { RunningNodes } from "./running-nodes.js";
import { startNode } from "./start-node.js";

/** An API server in this process, and a kubelet over a real containerd. Only in namespaces of its own. */
export interface RealTestNode {
  readonly machine: TestMachine;
  /** An administrator's. */
  readonly client: Client;
  readonly server: ApiServer;
  /** Runs a script in a pod of its own that is never restarted. */
  run(name: string, script: string, spec?: Partial<PodSpec>, metadata?: ObjectMeta): Promise<Pod>;
  pod(name: string): Promise<Pod>;
  /** Messages of events about a pod, with their reasons: `Failed: Error: ErrImagePull`. */
  events(name: string): Promise<string[]>;
  /** @throws Error with statuses and events */
  until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface RealTestNodeOptions {
  readonly name: string;
  readonly rootDir: string;
  readonly config?: RealKubeletConfig;
}

export async function startRealTestNode({ name, rootDir, config }: RealTestNodeOptions): Promise<RealTestNode> {
  const runtime = systemRuntime();
  const machine = await startTestMachine();
  const server = await startApiServer({
    runtime,
    store: createMemoryStore({ runtime }),
    admission: { enabled: ["NodeRestriction"], disabled: ["ServiceAccount"] },
  });
  const clientOf = (user: UserInfo): Client =>
    createClient({ transport: createInProcessTransport(server, { user }), runtime, onWarning: () => {} });
  const client = clientOf({ name: "admin", groups: ["system:masters", "system:authenticated"] });
  await client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  const nodes: RunningNodes = startNode({
    client: clientOf({ name: `system:node:${name}`, groups: ["system:nodes", "system:authenticated"] }),
    spec: { name, address: "10.88.0.1" },
    config: { cgroupRoot: machine.cgroupRoot, podLogsDir: join(machine.folder, `${name}-logs/pods`), ...config },
    endpoint: machine.endpoint,
    rootDir,
    kubeletPort: 10250,
    runtime,
  });
  await nodes.ready;
  const pods = client.core.v1.pods("default");
  const events = async (about?: string): Promise<string[]> =>
    (await client.core.v1.events("default").list()).items
      .filter(({ involvedObject }) => about === undefined || involvedObject.name === about)
      .map(({ reason, message }) => `${reason}: ${message}`);
  return {
    machine,
    client,
    server,
    run: (podName, script, spec = {}, metadata = {}) =>
      pods.create({
        metadata: { name: podName, ...metadata },
        spec: {
          nodeName: name,
          restartPolicy: "Never",
          terminationGracePeriodSeconds: 1,
          ...spec,
          containers: (spec.containers ?? [{}]).map((container) => ({
            name: "main",
            image: busyboxRef,
            imagePullPolicy: "IfNotPresent",
            command: ["sh", "-c", script],
            ...container,
          })),
        },
      }),
    pod: (podName) => pods.get(podName),
    events,
    async until(what, isSo, timeoutMs = 60_000) {
      if (await pollUntil(async () => isSo(), { intervalMs: 100, timeoutMs })) return;
      const statuses = (await pods.list()).items.map(({ metadata, status }) => [metadata?.name, status]);
      throw new Error(`never: ${what}\n${JSON.stringify([statuses, await events()], null, 1)}`);
    },
    async stop() {
      await nodes.stop();
      await server.stop();
    },
  };
}
