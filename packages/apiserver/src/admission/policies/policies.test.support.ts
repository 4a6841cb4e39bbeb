import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { startApiServer } from "../../server/compose/api-server.js";
import type { ApiServerOptions } from "../../server/compose/api-server-options.js";
import { createByteRequester } from "../../server/in-process/byte-requester.js";

/** An object or a Status: the members that tests look at. */
export interface SeenBody {
  readonly message?: string;
  readonly metadata: { readonly name: string };
  readonly data?: unknown;
  readonly details?: { readonly causes: readonly { readonly field: string; readonly message: string }[] };
}

/** What a client sees of an answer. */
export interface Seen {
  readonly status: number;
  readonly body: SeenBody;
  readonly warnings: readonly string[];
}

export const policyPath = "/apis/admissionregistration.k8s.io/v1";
export const configMapPath = "/api/v1/namespaces/default/configmaps";

/** A policy of either kind for all writes of ConfigMaps, unless its spec has other rules. */
export const policyOf = (kind: string, spec: object, name = "p"): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
      ],
    },
    ...spec,
  },
});

export const bindingOf = (kind: string, spec: object = {}, { policy = "p", name = "b" } = {}): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name },
  spec: { policyName: policy, ...spec },
});

export const configMap = (name: string, data: object = {}, labels: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels },
  data,
});

/** An in-process server, asked by jane. What was created can be removed again. */
export async function startPolicyServer(options: Partial<ApiServerOptions> = {}) {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
    ...options,
  });
  const ask = createByteRequester(server, { name: "jane", groups: ["system:masters"] });
  let created: string[] = [];
  async function send(method: string, path: string, body?: object): Promise<Seen> {
    const answer = await ask({
      method,
      path,
      headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      signal: new AbortController().signal,
      ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return {
      status: answer.status,
      body: JSON.parse(Buffer.concat(chunks).toString()) as SeenBody,
      warnings: [answer.headers.warning ?? []].flat().map((text) => text.replace(/^299 - "|"$/g, "")),
    };
  }
  return {
    send,
    /** Creates an object that `cleanUp` removes. */
    async create(path: string, object: object): Promise<Seen> {
      const seen = await send("POST", path, object);
      if (seen.status === 201) created.push(`${path}/${seen.body.metadata.name}`);
      return seen;
    },
    /** Removes what was created, the last first. */
    async cleanUp(): Promise<void> {
      for (const path of created.reverse()) await send("DELETE", path);
      created = [];
    },
    stop: () => server.stop(),
  };
}
