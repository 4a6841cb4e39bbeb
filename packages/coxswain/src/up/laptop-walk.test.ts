import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CoxswainProcess, findKubectl, kubectlMinors, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { commandsOf, readBlocks } from "@coxswain/tools/pages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const database = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: db
        image: postgres:17
        volumeMounts: [{ name: data, mountPath: /data }]
        readinessProbe: { exec: { command: [pg_isready, -U, postgres] } }
  volumeClaimTemplates:
  - metadata: { name: data }
    spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

/** A real terminal around a program: `script` of util-linux. */
const terminal = ["/usr/bin/script", "/bin/script"].find(existsSync);
const minor = kubectlMinors().at(-1) ?? "";
const need = { found: findKubectl(minor), missing: "kubectl", timeout: 120_000 };

const workspace = fileURLToPath(new URL("../../../../", import.meta.url));
/** In full it is `npm start`, which builds what is not built: next to other tests that would change what they run. */
const start = process.env["COXSWAIN_WALKS"] === "all" ? { launcher: join(workspace, "tools/start.cjs") } : {};

/** The first hour of a new user with kubectl on a laptop, in this order. */
describeWith("a walk with kubectl on a laptop", need, (program) => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-laptop-"));
  const dataDir = join(folder, ".coxswain");
  let cluster: CoxswainProcess;
  beforeAll(async () => {
    mkdirSync(join(folder, "bin"));
    symlinkSync(program, join(folder, "bin/kubectl"));
    mkdirSync(join(folder, "in/deep"), { recursive: true });
    writeFileSync(join(folder, "db.yaml"), database);
    writeFileSync(join(folder, "in/deep/file"), "from here\n");
    cluster = await startCoxswain({ command: "up", dataDir, ...start });
  }, 600_000);
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = () => ({
    KUBECONFIG: cluster.kubeconfig,
    HOME: folder,
    PATH: [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter),
  });
  const kubectl = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(program, line.split(" "), { env: env() });
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };

  it("the README's commands work as printed", async () => {
    const blocks = readBlocks("README.md", readFileSync(join(workspace, "README.md"), "utf8"));
    const block = blocks.find(({ text }) => text.startsWith("export KUBECONFIG=$PWD/.coxswain/kubeconfig"));
    const input = commandsOf(block ?? { page: "", language: "", text: "", line: 0 }).join("\n");
    const { code, stdout, stderr } = await runProgram("bash", ["-e"], { input, cwd: folder, env: env() });
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain('deployment "web" successfully rolled out');
    expect(stdout.match(/^web-\S+ +1\/1 +Running/gm)).toHaveLength(3);
  });

  it("a pod asks the API server by the address of its service, with its token", async () => {
    const script = `D=/var/run/secrets/kubernetes.io/serviceaccount
      curl -s --cacert $D/ca.crt -H "Authorization: Bearer $(cat $D/token)" https://kubernetes.default.svc/api/v1/pods`;
    const args = ["exec", "deploy/web", "--", "sh", "-c", script];
    expect((await runProgram(program, args, { env: env() })).stdout).toContain(
      'User \\"system:serviceaccount:default:default\\" cannot list resource',
    );
  });

  it("a StatefulSet with claims becomes ready, its probe of a program that nobody knows too", async () => {
    expect(await kubectl("get storageclass")).toMatch(/^standard \(default\) +coxswain\.dev\/local-path/m);
    await kubectl(`apply -f ${join(folder, "db.yaml")}`);
    await kubectl("rollout status statefulset/db --timeout=60s");
    expect(await kubectl("get pvc")).toMatch(/^data-db-0 +Bound .* 1Gi +RWO +standard/m);
  });

  it("files are copied in and out", async () => {
    await kubectl(`cp ${join(folder, "in")} db-0:/data/`);
    expect(await kubectl("exec db-0 -- cat /data/in/deep/file")).toBe("from here\n");
    await kubectl(`cp db-0:/data/in ${join(folder, "out")}`);
    expect(readFileSync(join(folder, "out/deep/file"), "utf8")).toBe("from here\n");
  });

  it("a program of the image is reported as simulated", async () => {
    const { code, stderr } = await runProgram(program, ["exec", "db-0", "--", "psql"], { env: env() });
    expect({ code, stderr }).toEqual({ code: 127, stderr: expect.stringContaining("docs/nodes.md") });
  });

  describeWith("at a terminal", { found: terminal, missing: "script (util-linux)" }, (script) => {
    /** Types each line when the prompt before it is there; returns what was shown, and the exit code. */
    async function sit(command: string, lines: readonly string[]) {
      const child = spawn(script, ["-qefc", command, "/dev/null"], { env: { ...process.env, ...env() } });
      let [shown, seen, next] = ["", 0, 0];
      child.stdout.on("data", (chunk) => {
        shown += String(chunk);
        const prompt = shown.indexOf("/ # ", seen);
        if (prompt < 0 || next >= lines.length) return;
        seen = prompt + 4;
        child.stdin.write(lines[next++] as string);
      });
      const [code] = (await once(child, "exit")) as [number];
      return { shown, code };
    }

    it("exec -it prompts, runs lines, and ends with the shell's code", async () => {
      const lines = ["echo one; cd /data\rls in\rcd /\r", "stty size\r", "exit 3\r"];
      const { shown, code } = await sit(`${program} exec -it db-0 -- sh`, lines);
      expect(shown).toMatch(/\r\none\r\n/);
      expect(shown).toMatch(/\/data # deep\r\n/);
      expect(code).toBe(3);
    });

    it("Ctrl-C ends a command, and the shell goes on", async () => {
      const sleeping = `${program} exec -it db-0 -- sh`;
      const child = spawn(script, ["-qefc", sleeping, "/dev/null"], { env: { ...process.env, ...env() } });
      let shown = "";
      const steps: [RegExp, string][] = [
        [/\/ # $/, "sleep 1000\r"],
        [/sleep 1000\r\n$/, "\x03"],
        [/\^C\r\n\/ # $/, "echo $?; exit\r"],
      ];
      child.stdout.on("data", (chunk) => {
        shown += String(chunk);
        if (steps[0]?.[0].test(shown)) child.stdin.write(steps.shift()?.[1] ?? "");
      });
      await once(child, "exit");
      expect(shown).toMatch(/\r\n130\r\n/);
    });
  });

  describe("a cluster that is killed and started again", () => {
    it("has its pods and their files", async () => {
      await cluster.stop("SIGKILL");
      cluster = await startCoxswain({ command: "up", dataDir, ...start });
      await kubectl("rollout status statefulset/db --timeout=60s");
      expect(await kubectl("exec db-0 -- cat /data/in/deep/file")).toBe("from here\n");
    });
  });
});
