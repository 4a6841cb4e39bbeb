import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { type CoxswainProcess, findKubectl, kubectlMinors, removeDataDir, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { cachedOwnProgram } from "@coxswain/tools/programs";

interface Line {
  readonly type: "add" | "update" | "delete" | "synced" | "cache" | "error";
  readonly name?: string;
  readonly objects?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** A client-go informer as a process; `until` resolves when a line fits, among those already there too. */
function startInformer(program: string, kubeconfig: string, contentType: string) {
  const child = spawn(program, ["--kubeconfig", kubeconfig, "--content-type", contentType]);
  const lines: Line[] = [];
  let onLine: () => void = () => {};
  createInterface({ input: child.stdout }).on("line", (text) => {
    lines.push(JSON.parse(text) as Line);
    onLine();
  });
  const until = async (fits: (line: Line) => boolean, from = 0): Promise<Line> => {
    for (;;) {
      const found = lines.slice(from).find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (onLine = resolve));
    }
  };
  return {
    lines,
    until,
    cache: () => {
      const from = lines.length;
      child.stdin.write("\n");
      return until((line) => line.type === "cache", from);
    },
    stop: () => child.kill(),
  };
}

const program = cachedOwnProgram("informer");
const kubectlPath = findKubectl(kubectlMinors().at(-1) ?? "");
if (!program || !kubectlPath) {
  console.warn(`\n*** NOT TESTED: a client-go informer through a restart (${program ? "kubectl is not there" : 'build it with "npm run programs"'}) ***\n`);
}

describe.runIf(program && kubectlPath)("a client-go informer", { timeout: 60_000 }, () => {
  const kubectl = async (server: CoxswainProcess, args: string, input = ""): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(kubectlPath as string, args.split(" "), { env: { KUBECONFIG: server.kubeconfig }, input });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const pod = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec: { containers: [{ name: "c", image: "i" }] } });
  const create = (server: CoxswainProcess, name: string): Promise<string> => kubectl(server, "create -f -", pod(name));
  const content = async (server: CoxswainProcess): Promise<Record<string, string>> => {
    const { items } = JSON.parse(await kubectl(server, "get --raw /api/v1/pods")) as { items: { metadata: { namespace: string; name: string; resourceVersion: string } }[] };
    return Object.fromEntries(items.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion]));
  };

  for (const contentType of ["application/json", "application/vnd.kubernetes.protobuf"]) {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      it(`lists and watches pods as ${contentType} through a restart by ${signal}`, async () => {
        const first = await startCoxswain();
        await create(first, "before");
        const informer = startInformer(program as string, first.kubeconfig, contentType);
        await informer.until((line) => line.type === "synced");
        await create(first, "during");
        await informer.until((line) => line.name === "default/during");
        await first.stop(signal);

        const second = await startCoxswain({ dataDir: first.dataDir, port: first.port });
        await create(second, "after");
        await kubectl(second, "delete pod before -n default");
        await informer.until((line) => line.name === "default/after");
        await informer.until((line) => line.type === "delete" && line.name === "default/before");
        expect((await informer.cache()).objects).toEqual(await content(second));
        expect(informer.lines.filter((line) => line.type === "add").map((line) => line.name)).toEqual(["default/before", "default/during", "default/after"]);
        informer.stop();
        await second.stop();
        removeDataDir(first);
      });
    }
  }
});
