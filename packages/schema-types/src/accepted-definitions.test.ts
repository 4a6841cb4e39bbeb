import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { Client } from "@coxswain/client";
import { connect } from "@coxswain/client/node";
import { startCluster } from "@coxswain/testkit";
import { describeWith } from "@coxswain/tools/needs";
import { cachedProgram, startEtcd, startKubeApiserver } from "@coxswain/tools/upstream";
import { describe, expect, it, vi } from "vitest";
import { generateDefinitions } from "./generate-definitions.js";

const folder = fileURLToPath(new URL("../testdata/definitions/", import.meta.url));
const files = ["v1/kinds.ts", "v1/shapes.ts", "v1/unions.ts", "v1beta1/versioned.ts"];
const { definitions } = generateDefinitions(files, (path) =>
  files.includes(path) ? readFileSync(folder + path, "utf8") : undefined,
);

const established = ["Established=True", "NamesAccepted=True"];
const definitionsOf = (client: Client) => client.apiextensions.v1.customresourcedefinitions();
/** A schema that is not structural is stored, and named in a condition. */
async function conditionsOf(client: Client, { metadata }: CustomResourceDefinition): Promise<string[]> {
  const { status } = await definitionsOf(client).get(metadata!.name!);
  return (status?.conditions ?? []).map(({ type, status: value }) => `${type}=${value}`).sort();
}

describe("generated definitions on our server", () => {
  it("are all accepted", async () => {
    const cluster = await startCluster({ nodes: 0, controllers: [] });
    for (const definition of definitions) {
      await definitionsOf(cluster.client).create(definition, { fieldValidation: "Strict" });
      await cluster.settle();
      expect(await conditionsOf(cluster.client, definition)).toEqual(established);
    }
    await cluster.stop();
  });
});

const hasUpstream = cachedProgram("kube-apiserver") !== undefined && cachedProgram("etcd") !== undefined;
const missing = "kube-apiserver and etcd (node tools/dist/upstream/main.js etcd kube-apiserver)";
describeWith("generated definitions on kube-apiserver", { found: hasUpstream, missing, timeout: 120_000 }, () => {
  it("are all accepted", async () => {
    const data = await mkdtemp(join(tmpdir(), "coxswain-definitions-"));
    const etcd = await startEtcd({ folder: data, sync: false });
    const server = await startKubeApiserver({ folder: data, etcdUrl: etcd.url });
    const { access } = server;
    const client = connect({
      server: access.server,
      certificateAuthority: { data: access.certificateAuthority },
      clientCertificate: { cert: { data: access.clientCertificate! }, key: { data: access.clientKey! } },
    });
    try {
      for (const definition of definitions) {
        await definitionsOf(client).create(definition, { fieldValidation: "Strict" });
        await vi.waitFor(async () => expect(await conditionsOf(client, definition)).toEqual(established), 30_000);
      }
    } finally {
      await client.close();
      await server.stop();
      await etcd.stop();
      await rm(data, { recursive: true, force: true });
    }
  });
});
