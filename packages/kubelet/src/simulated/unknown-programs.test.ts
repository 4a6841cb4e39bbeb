import type { Container } from "@coxswain/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestNodes, type TestNodes } from "../test-nodes.test.support.js";

const main = (rest: Partial<Container>): Container => ({ name: "main", image: "postgres", ...rest });
const script = (command: string): Partial<Container> => ({
  readinessProbe: { exec: { command: ["sh", "-c", command] }, periodSeconds: 1 },
});

describe("programs of images that the shell does not know", () => {
  let cluster: TestNodes;
  beforeEach(async () => void (cluster = await startTestNodes()));
  afterEach(() => cluster.stop());
  const isReady = async (name: string): Promise<boolean> =>
    (await cluster.pod(name)).status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";

  const probes: { name: string; container: Partial<Container>; ready: boolean }[] = [
    {
      name: "succeed as probes",
      container: { readinessProbe: { exec: { command: ["pg_isready", "-U", "postgres"] } } },
      ready: true,
    },
    {
      name: "decide a script, whose comparisons are of what they would have printed",
      container: script('response=$(timeout 5 redis-cli ping); if [ "$response" != PONG ]; then exit 1; fi'),
      ready: true,
    },
    {
      name: "are not asked for the pod's own names and its resolver, which files in /etc have",
      container: script('set -e; grep "$HOSTNAME" /etc/hosts; grep -q "^nameserver " /etc/resolv.conf'),
      ready: true,
    },
    { name: "are not looked for where all of a script is known", container: script("cat /tmp/healthy"), ready: false },
    {
      name: "succeed as hooks",
      container: { lifecycle: { postStart: { exec: { command: ["migrate"] } } } },
      ready: true,
    },
  ];
  for (const { name, container, ready } of probes)
    it(name, async () => {
      await cluster.createPod("db", { containers: [main(container)] });
      await cluster.advance(20_000);
      expect(await isReady("db")).toBe(ready);
    });

  const copies: [title: string, command: string, phase: string][] = [
    ["of the image are copied by an init container", "cp --update=none /usr/local/bin/argocd /files/argocd", "Running"],
    ["of a volume are known, and fail it where they are not there", "cp /files/none /files/some", "Pending"],
  ];
  for (const [title, command, phase] of copies)
    it(`files ${title}`, async () => {
      const volumeMounts = [{ name: "files", mountPath: "/files" }];
      await cluster.createPod("cd", {
        volumes: [{ name: "files", emptyDir: {} }],
        initContainers: [{ name: "copy", image: "argocd", command: ["sh", "-c", command], volumeMounts }],
        containers: [main({})],
      });
      await cluster.advance(5000);
      expect((await cluster.pod("cd")).status?.phase).toBe(phase);
    });

  it("are ready when a rule has it, as other probes are", async () => {
    const annotations = { "simulation.coxswain.dev/ready-after": "60s" };
    await cluster.createPod("db", { containers: [main(script("pg_isready"))] }, { annotations });
    await cluster.advance(50_000);
    expect(await isReady("db")).toBe(false);
    await cluster.advance(20_000);
    expect(await isReady("db")).toBe(true);
  });

  it("end init containers, whatever is made of their output", async () => {
    const command = ["sh", "-c", 'test "$(vault status)" = unsealed'];
    await cluster.createPod("db", {
      initContainers: [{ name: "wait", image: "vault", command }],
      containers: [main({})],
    });
    await cluster.advance(5000);
    expect((await cluster.pod("db")).status?.phase).toBe("Running");
  });

  const modes = [
    { name: "scripts of volumes run where their mode allows it", defaultMode: 0o755, code: 0 },
    { name: "scripts of volumes are refused without permission", defaultMode: 0o644, code: 1 },
  ];
  for (const { name, defaultMode, code } of modes)
    it(name, async () => {
      await cluster.client.core.v1
        .configmaps("default")
        .create({ metadata: { name: "health" }, data: { "ping.sh": "#!/bin/bash\necho pong $1 > /tmp/out" } });
      await cluster.createPod("db", {
        containers: [
          main({
            volumeMounts: [{ name: "health", mountPath: "/health" }],
            readinessProbe: { exec: { command: ["/health/ping.sh", "x"] }, periodSeconds: 1 },
          }),
        ],
        volumes: [{ name: "health", configMap: { name: "health", defaultMode } }],
      });
      await cluster.advance(5000);
      expect(Number(!(await isReady("db")))).toBe(code);
    });
});
