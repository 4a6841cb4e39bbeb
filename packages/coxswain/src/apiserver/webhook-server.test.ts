import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport, loadConfig } from "@coxswain/client/node";
import type { Transport, TransportRequest } from "@coxswain/client/transport";
import { systemRandom } from "@coxswain/runtime/random";
import { removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { freePorts } from "@coxswain/tools/upstream";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterAll, beforeAll, expect, it } from "vitest";

const group = "boats.example.com";
const boats = (version: string): string => `/apis/${group}/${version}/namespaces/default/boats`;
const boat = (version: string, name: string, spec: object, labels = {}) => ({
  apiVersion: `${group}/${version}`,
  kind: "Boat",
  metadata: { name, labels },
  spec,
});

const need = {
  found: cachedOwnProgram("webhook-server"),
  missing: "Go: a webhook server made with controller-runtime (npm run tool -- programs builds it)",
  timeout: 60_000,
};

describeWith("a webhook server made with controller-runtime", need, (program) => {
  const stops: (() => Promise<unknown> | void)[] = [];
  let transport: Transport;
  const send = async (method: TransportRequest["method"], path: string, value?: object) => {
    const response = await transport.send({ method, path, ...(value && { body: { as: "value", value } }) });
    return { status: response.status, warnings: response.warnings, body: (await response.value()) as Answer };
  };

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-webhook-server-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const ours = await startCoxswain();
    stops.push(
      () => removeDataDir(ours),
      () => ours.stop(),
    );
    transport = createTransport(loadConfig({ path: ours.kubeconfig }));
    stops.push(() => transport.close());
    const [port = 0] = await freePorts(1);
    const caBundle = writeCertificate(folder);
    const child = spawn(program, [`--kubeconfig=${ours.kubeconfig}`, `--cert-dir=${folder}`, `--port=${port}`]);
    stops.push(() => endOf(child));
    await untilListening(child, port);
    const client = (path: string) => ({ url: `https://127.0.0.1:${port}${path}`, caBundle });
    await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(client("/convert")));
    for (const [kind, path] of [
      ["MutatingWebhookConfiguration", `/mutate-boats-example-com-v1-boat`],
      ["ValidatingWebhookConfiguration", `/validate-boats-example-com-v1-boat`],
    ] as const)
      await send(
        "POST",
        `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`,
        configuration(kind, client(path)),
      );
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it("sets defaults, and labels", async () => {
    const { status, body } = await send("POST", boats("v1"), boat("v1", "dinghy", { sails: ["main"] }));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      metadata: { labels: { "built-by": "controller-runtime" } },
      spec: { sails: ["main"], crew: 1 },
    });
  });
  it("refuses in its own words, and warns", async () => {
    const refused = await send("POST", boats("v1"), boat("v1", "galley", { crew: 500 }));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'admission webhook "boats.example.com" denied the request: spec.crew: 500 are too many',
    ]);
    const warned = await send("POST", boats("v1"), boat("v1", "raft", {}));
    expect([warned.status, warned.warnings]).toEqual([201, ["a boat without sails drifts"]]);
  });
  it("converts what is read and written in the other version, and is asked of it in its own", async () => {
    const read = await send("GET", `${boats("v1alpha1")}/dinghy`);
    expect(read.body).toMatchObject({ apiVersion: `${group}/v1alpha1`, spec: { sails: "main", crew: 1 } });
    const written = await send("POST", boats("v1alpha1"), boat("v1alpha1", "sloop", { sails: "main,jib" }));
    expect(written.body).toMatchObject({ apiVersion: `${group}/v1alpha1`, spec: { sails: "main,jib", crew: 1 } });
    const list = await send("GET", boats("v1"));
    expect(list.body.items?.map(({ metadata, spec }) => [metadata.name, spec.sails])).toEqual([
      ["dinghy", ["main"]],
      ["raft", undefined],
      ["sloop", ["main", "jib"]],
    ]);
  });
  it("is asked about updates and deletions", async () => {
    const { body } = await send("GET", `${boats("v1")}/sloop`);
    const anchored = { ...body, metadata: { ...body.metadata, labels: { anchored: "yes" } } };
    expect((await send("PUT", `${boats("v1")}/sloop`, anchored)).body.metadata.labels).toEqual({
      anchored: "yes",
      "built-by": "controller-runtime",
    });
    const kept = await send("DELETE", `${boats("v1alpha1")}/sloop`);
    expect([kept.status, kept.body.message]).toEqual([
      403,
      'admission webhook "boats.example.com" denied the request: it is anchored',
    ]);
    expect((await send("DELETE", `${boats("v1")}/raft`)).status).toBe(200);
  });
});

interface Answer {
  readonly message?: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly sails?: unknown };
  readonly items?: readonly Answer[];
}

/** tls.crt and tls.key for this machine. Answers the authority as a `caBundle`. */
function writeCertificate(folder: string): string {
  const now = Date.now();
  const life = { notBefore: now - 60_000, notAfter: now + 3_600_000, random: systemRandom };
  const authority = createAuthority({ ...life, subject: { commonName: "webhooks" } });
  const identity = createServerIdentity(authority, { ...life, subject: { commonName: "hooks" }, hosts: ["127.0.0.1"] });
  writeFileSync(join(folder, "tls.crt"), identity.pem);
  writeFileSync(join(folder, "tls.key"), encodePrivateKey(identity.privateKey));
  return Buffer.from(authority.pem).toString("base64");
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let output = "";
  child.stderr?.on("data", (chunk) => (output += String(chunk)));
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`the webhook server ended: ${output}`);
    await sleep(20);
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });

const definition = (client: object) => {
  const version = (name: string, storage: boolean, sails: object) => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { sails, crew: { type: "integer" } } } },
      },
    },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "boats", kind: "Boat" },
      versions: [
        version("v1", true, { type: "array", items: { type: "string" } }),
        version("v1alpha1", false, { type: "string" }),
      ],
      conversion: { strategy: "Webhook", webhook: { clientConfig: client, conversionReviewVersions: ["v1"] } },
    },
  };
};

const configuration = (kind: string, clientConfig: object) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name: "boats" },
  webhooks: [
    {
      name: group,
      clientConfig,
      rules: [
        { apiGroups: [group], apiVersions: ["v1"], operations: ["CREATE", "UPDATE", "DELETE"], resources: ["boats"] },
      ],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    },
  ],
});
