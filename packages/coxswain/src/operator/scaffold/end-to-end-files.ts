import type { PlannedFile } from "../../project/write-files.js";

/** The operator as a process on a cluster of its own, which needs no Docker: probes, metrics and samples. `settings` are lines for `test` of vitest's. */
export const endToEndFiles = (settings: string): PlannedFile[] => [
  {
    path: "test/e2e/vitest.config.ts",
    text: `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,${settings}
  },
});
`,
  },
  { path: "test/e2e/operator.test.ts", text: endToEndTest() },
  { path: "test/e2e/cluster.ts", text: clusterModule() },
];

function clusterModule(): string {
  return `import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const home = mkdtempSync(join(tmpdir(), "operator-e2e-"));
const env = { ...process.env, COXSWAIN_HOME: home };
export const kubeconfig = join(home, "kubeconfig");
let operator: ChildProcess | undefined;

/** Runs the command to its end. @throws Error with what it printed */
export async function coxswain(...args: string[]): Promise<string> {
  const child = spawn("coxswain", args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(\`coxswain \${args.join(" ")} ended with \${code}: \${output}\`);
  return output;
}

export const startCluster = (): Promise<string> =>
  coxswain("up", "--detach", "--in-memory", "--secure-port", "0", "--write-kubeconfig", kubeconfig);

/** The operator on this machine, with these flags of its own. Resolves once it runs. */
export function startOperator(...flags: string[]): Promise<void> {
  const args = ["operator", "run", "--watch=false", "--type-check=false", "--kubeconfig", kubeconfig, "--", ...flags];
  const child = spawn("coxswain", args, { env, stdio: ["ignore", "pipe", "pipe"] });
  operator = child;
  let output = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (output.includes("the operator runs")) resolve();
      });
    child.once("close", (code) => reject(new Error(\`the operator ended with \${code}: \${output}\`)));
  });
}

export async function stopAll(): Promise<void> {
  if (operator && operator.exitCode === null) {
    operator.kill("SIGINT");
    await once(operator, "close");
  }
  await coxswain("down");
  rmSync(home, { recursive: true, force: true });
}
`;
}

function endToEndTest(): string {
  return `import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kubeconfig, startCluster, startOperator, stopAll } from "./cluster.js";

const samples = "config/samples";
const probes = 18_081;
const metrics = 18_443;

interface Sample {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

describe("the operator on a cluster", () => {
  beforeAll(async () => {
    await startCluster();
    await startOperator(
      \`--health-probe-bind-address=127.0.0.1:\${probes}\`,
      \`--metrics-bind-address=127.0.0.1:\${metrics}\`,
      "--metrics-secure=false",
    );
  });
  afterAll(stopAll);

  for (const path of ["healthz", "readyz"])
    it(\`answers /\${path}\`, async () => expect((await fetch(\`http://127.0.0.1:\${probes}/\${path}\`)).status).toBe(200));

  it("serves metrics", async () =>
    expect(await (await fetch(\`http://127.0.0.1:\${metrics}/metrics\`)).text()).toContain("process_cpu_seconds_total"));

  for (const file of existsSync(samples) ? readdirSync(samples) : [])
    it(\`\${file} becomes ready\`, async () => {
      const client = connect(loadKubeconfig({ path: kubeconfig }));
      try {
        const object = parseYaml(readFileSync(\`\${samples}/\${file}\`, "utf8")).value as Sample;
        const objects = await client.resourceOf(object);
        await objects.create(object);
        await waitFor(objects, object.metadata.name, hasCondition("Ready"), { timeoutMs: 60_000 });
      } finally {
        await client.close();
      }
    });
});
`;
}
