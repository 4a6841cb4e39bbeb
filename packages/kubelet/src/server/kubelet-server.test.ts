import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { listen } from "@coxswain/apiserver";
import { attach, connect, exec, portForward } from "@coxswain/client/node";
import { podLogLines } from "@coxswain/client/pods";
import { ensureCertificates } from "@coxswain/component/certificates";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { container, startTestNodes, type TestNodes } from "../test-nodes.test.support.js";

/** An API server on a port, and a node in the same process: what a person does with kubectl. */
let cluster: TestNodes;
let client: ReturnType<typeof connect>;
let listener: Awaited<ReturnType<typeof listen>>;
const directory = mkdtempSync(join(tmpdir(), "coxswain-kubelet-"));
const certificates = ensureCertificates(directory, { clock: systemClock, random: systemRandom });
const ca = certificates.ca.certificate;

beforeAll(async () => {
  cluster = await startTestNodes({ nodes: 2, server: { authentication: { clientCa: ca } } });
  listener = await listen(
    {
      port: 0,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: ca,
      runtime: systemRuntime(),
    },
    (incoming, sink) => void cluster.server.serve(incoming, sink),
  );
  client = connect({
    server: `https://127.0.0.1:${listener.port}`,
    certificateAuthority: { data: ca },
    clientCertificate: { cert: { data: certificates.admin.certificate }, key: { data: certificates.admin.key } },
  });
  const script = "echo one; echo two >&2; echo $GREETING > /tmp/greeting; while true; do sleep 60; echo tick; done";
  await cluster.createPod("web", {
    containers: [
      container({
        command: ["sh", "-c", script],
        env: [{ name: "GREETING", value: "hello" }],
        resources: { requests: { cpu: "200m", memory: "64Mi" } },
      }),
    ],
  });
  await cluster.createPod("waiting", {}, { annotations: { "simulation.coxswain.dev/start-delay": "1h" } });
  await cluster.settle();
});
afterAll(async () => {
  listener.cut();
  await client.close();
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

const web = { namespace: "default", pod: "web" };
const linesOf = async (options: object): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of podLogLines(client, { ...web, ...options })) lines.push(line);
  return lines;
};

describe("the kubelets' server, through the API server", () => {
  const logs = [
    { name: "whole", options: {}, lines: ["one", "two"] },
    { name: "the last line", options: { tailLines: 1 }, lines: ["two"] },
    { name: "with times", options: { timestamps: true, tailLines: 1 }, lines: ["2026-01-01T00:00:00.000000000Z two"] },
    { name: "so many bytes", options: { limitBytes: 5 }, lines: ["one", "t"] },
  ];
  for (const { name, options, lines } of logs)
    it(`logs: ${name}`, async () => expect(await linesOf(options)).toEqual(lines));

  it("logs: those to come", async () => {
    const following = podLogLines(client, { ...web, follow: true, tailLines: 1 });
    expect((await following.next()).value).toBe("two");
    const next = following.next();
    await cluster.advance(60_000);
    expect((await next).value).toBe("tick");
    await following.return();
  });

  it("logs: none where a container waits, or had no earlier run", async () => {
    await expect(linesOf({ pod: "waiting" })).rejects.toThrow(
      'container "main" in pod "waiting" is waiting to start: ContainerCreating',
    );
    await expect(linesOf({ previous: true })).rejects.toThrow(
      'previous terminated container "main" in pod "web" not found',
    );
  });

  it("logs: of the run before, while the next one goes on", async () => {
    const script = "if [ -e /state/ran ]; then sleep 100000; else touch /state/ran; echo ran; exit 3; fi";
    await cluster.createPod("crashed", {
      volumes: [{ name: "state", emptyDir: {} }],
      containers: [
        container({ command: ["sh", "-c", script], volumeMounts: [{ name: "state", mountPath: "/state" }] }),
      ],
    });
    await cluster.advance(60_000);
    // Any step of the pod's worker may collect what is dead.
    await cluster.client.core.v1
      .pods("default")
      .patch("crashed", { merge: { metadata: { labels: { look: "again" } } } });
    await cluster.settle();
    const [status] = (await cluster.pod("crashed")).status?.containerStatuses ?? [];
    expect(status).toMatchObject({ restartCount: 1, state: { running: {} } });
    expect(await linesOf({ pod: "crashed", previous: true })).toEqual(["ran"]);
    await cluster.client.core.v1.pods("default").delete("crashed");
    await cluster.advance(60_000);
  });

  const output = async (
    command: readonly string[],
    input?: string,
  ): Promise<{ out: string; exitCode: number | undefined }> => {
    const running = await exec(client, { ...web, command, stdin: input !== undefined });
    let out = "";
    running.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    running.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()));
    if (input !== undefined) running.stdin.end(input);
    const { exitCode } = await running.done;
    return { out, exitCode };
  };
  const commands = [
    { name: "a command runs in the container", command: ["cat", "/tmp/greeting"], out: "hello\n", exitCode: 0 },
    { name: "its exit code arrives", command: ["sh", "-c", "echo bad >&2; exit 3"], out: "bad\n", exitCode: 3 },
    { name: "its input arrives", command: ["cat"], input: "typed", out: "typed", exitCode: 0 },
    {
      name: "an unknown command is not found",
      command: ["nginx", "-v"],
      out: expect.stringMatching(/^sh: nginx: not found\n\(a simulated container: .*docs\/nodes\.md\)\n$/),
      exitCode: 127,
    },
  ];
  for (const { name, command, input, out, exitCode } of commands)
    it(`exec: ${name}`, async () => expect(await output(command, input)).toEqual({ out, exitCode }));

  it("attach shows what the container writes", async () => {
    const leaving = new AbortController();
    const attached = await attach(client, { ...web, signal: leaving.signal });
    attached.done.catch(() => undefined); // it is left below
    const seen = new Promise<string>((resolve) =>
      attached.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await cluster.advance(60_000);
    expect(await seen).toBe("tick\n");
    leaving.abort();
  });

  it("the proxies reach pods and kubelets", async () => {
    const page = await client.rest.send({
      method: "GET",
      path: "/api/v1/namespaces/default/pods/web:8080/proxy/a?b=1",
    });
    expect(page).toEqual({ pod: "web", port: 8080, method: "GET", path: "/a?b=1" });
    const pods = (await client.rest.send({ method: "GET", path: "/api/v1/nodes/node-0/proxy/pods" })) as {
      items: { metadata: { name: string } }[];
    };
    expect(pods.items.map(({ metadata }) => metadata.name)).toEqual(["web", "waiting"]);
    const other = (await client.rest.send({ method: "GET", path: "/api/v1/nodes/node-1/proxy/pods" })) as {
      items: unknown[];
    };
    expect(other.items).toEqual([]);
    const summary = await client.rest.send({ method: "GET", path: "/api/v1/nodes/node-0/proxy/stats/summary" });
    expect(summary).toMatchObject({
      node: { nodeName: "node-0" },
      pods: [{ podRef: { name: "web" }, cpu: { usageNanoCores: 100_000_000 } }],
    });
  });

  it("usage follows from requests", async () => {
    expect(await cluster.nodes.usage.podMetrics("default", "web")).toMatchObject({
      kind: "PodMetrics",
      containers: [{ name: "main", usage: { cpu: "100000000n", memory: "65536Ki" } }],
    });
    expect(await cluster.nodes.usage.nodeMetrics("node-0")).toMatchObject({ usage: { cpu: "150000000n" } });
  });

  it("ports are forwarded", async () => {
    const forwarded = await portForward(client, web);
    const connection = await forwarded.connect(8080);
    connection.end("GET /there HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await text(connection)).toContain('{"pod":"web","port":8080,"method":"GET","path":"/there"}');
    forwarded.close();
  });
});
