import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { runSampleScenario, startSampleApiserver } from "@coxswain/tools/sample";
import { cachedProgram, startEtcd } from "@coxswain/tools/upstream";
import { afterAll, expect, it } from "vitest";

const kubectl = cachedProgram("kubectl");

const need = {
  found: cachedProgram("sample-apiserver") && cachedProgram("etcd") && kubectl,
  missing: "Go: upstream's sample API server, etcd and kubectl (npm run tool -- sample builds them)",
  timeout: 60_000,
};

// `npm run tool -- sample` compares what kubectl prints here with what it prints on kube-apiserver: none of it differs.
describeWith("upstream's sample API server behind this one", need, (program) => {
  const stops: (() => Promise<unknown> | void)[] = [];
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it("registers, and its flunders are applied, listed, explained, patched, waited for and deleted by kubectl", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-sample-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    const [ours, etcd] = await Promise.all([startCoxswain(), startEtcd({ folder, sync: false })]);
    stops.push(
      () => removeDataDir(ours),
      () => ours.stop(),
      () => etcd.stop(),
    );
    const { kubeconfig } = ours;
    const sample = await startSampleApiserver({ folder, etcdUrl: etcd.url, kubeconfig });
    stops.push(() => sample.stop());
    const results = await runSampleScenario({ kubectl: program, kubeconfig, port: sample.port });
    const failed = results.filter(({ code }) => code !== 0).map(({ command }) => command);
    expect(failed).toEqual(["get flunder nobody", "create -f -", "get --raw /apis/wardle.example.com/v1alpha1"]);
    const textOf = (command: string): string => results.find((each) => each.command.startsWith(command))?.text ?? "";
    expect(textOf("api-resources")).toMatch(/^fischers.*\nflunders\s+wardle.example.com\/v1alpha1\s+true\s+Flunder\n$/);
    expect(textOf("get flunders one")).toBe('{"reference":"third","referenceType":"Flunder"}');
    expect(textOf("explain")).toContain("A name of another flunder or fischer");
    expect(textOf("get flunder nobody")).toContain('flunders.wardle.example.com "nobody" not found');
  });
});
