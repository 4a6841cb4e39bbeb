import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { findKubectl, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "./test-cluster.test.support.js";

const newest = join(homedir(), ".cache/coxswain/upstream/v1.36.4/bin/kubectl");
/** 1.27 speaks SPDY, the later ones WebSocket. */
const programs: [string, string | undefined][] = [
  ["1.27", findKubectl("1.27")],
  ["1.33", findKubectl("1.33")],
  ["1.36", existsSync(newest) ? newest : undefined],
];

/** Resolves with the first match in a program's output. */
const printed = (stream: Readable, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve) => {
    let text = "";
    stream.on("data", (chunk) => {
      const found = pattern.exec((text += String(chunk)));
      if (found) resolve(found);
    });
  });

const fetchText = (port: string, path: string): Promise<string> =>
  new Promise((resolve, reject) =>
    request({ port, path, host: "127.0.0.1", agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk))).once("end", () => resolve(text));
    })
      .on("error", reject)
      .end(),
  );

for (const [version, found] of programs) {
  describeWith(`kubectl ${version}`, { found, missing: `kubectl ${version}`, timeout: 60_000 }, (path) => {
    let cluster: TestCluster;
    beforeAll(async () => {
      cluster = await startTestCluster();
    });
    afterAll(() => cluster.stop());

    const env = () => ({ KUBECONFIG: cluster.kubeconfig, HOME: cluster.directory });
    const kubectl = (args: string[], input?: string) =>
      runProgram(path, args, { env: env(), ...(input === undefined ? {} : { input }) });
    const start = (args: string[]) =>
      spawn(path, args, { env: { ...process.env, ...env() }, stdio: ["pipe", "pipe", "pipe"] });

    it("logs, and logs that go on", async () => {
      expect(await kubectl(["logs", "web", "-c", "main"])).toMatchObject({ code: 0, stdout: "one\ntwo\n" });
      expect(await kubectl(["logs", "web", "-c", "refusing"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("container is waiting to start") as string,
      });
      const following = start(["logs", "-f", "web", "-c", "main"]);
      await printed(following.stdout, /and on/);
      following.kill();
    });

    it("exec: output, exit code, input", async () => {
      expect(
        await kubectl(["exec", "web", "-c", "main", "--", "sh", "-c", "echo out; echo err >&2; exit 3"]),
      ).toMatchObject({ code: 3, stdout: "out\n", stderr: expect.stringContaining("err\n") as string });
      expect(await kubectl(["exec", "-i", "web", "-c", "main", "--", "cat"], "hello")).toMatchObject({
        code: 0,
        stdout: "hello",
      });
      const many = "0123456789".repeat(500_000);
      expect((await kubectl(["exec", "-i", "web", "-c", "main", "--", "cat"], many)).stdout === many).toBe(true);
    });

    it("attach", async () => {
      expect(await kubectl(["attach", "-i", "web", "-c", "main"], "to the process\n")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("attached\nto the process\n") as string,
      });
    });

    it("cp in both directions", async () => {
      const [from, there, back] = ["from", "there", "back"].map((name) =>
        join(cluster.directory, `${name}-${version}`),
      ) as [string, string, string];
      writeFileSync(from, "content\n".repeat(10_000));
      expect(await kubectl(["cp", "-c", "main", from, `web:${there}`])).toMatchObject({ code: 0 });
      expect(await kubectl(["cp", "-c", "main", `web:${there}`, back])).toMatchObject({ code: 0 });
      expect(readFileSync(back, "utf8") === readFileSync(from, "utf8")).toBe(true);
    });

    it("port-forward, several connections over one", async () => {
      const backend = createServer(
        (asked, response) => void response.end(`behind ${asked.url} `.repeat(20_000)),
      ).listen(0, "127.0.0.1");
      await once(backend, "listening");
      const forward = start(["port-forward", "web", `:${(backend.address() as AddressInfo).port}`]);
      const [, port = ""] = await printed(forward.stdout, /127\.0\.0\.1:(\d+)/);
      const texts = await Promise.all(["/a", "/b", "/c"].map((target) => fetchText(port, target)));
      expect(texts.map((text) => [text.slice(0, 9), text.length])).toEqual([
        ["behind /a", 200_000],
        ["behind /b", 200_000],
        ["behind /c", 200_000],
      ]);
      forward.kill();
      await once(forward, "close");
      backend.close();
    });

    it("get --raw through a proxy, and kubectl proxy before it", async () => {
      expect(await kubectl(["get", "--raw", "/api/v1/nodes/n1/proxy/containerLogs/default/web/main"])).toMatchObject({
        code: 0,
        stdout: "one\ntwo\n",
      });
      const proxy = start(["proxy", "--port=0"]);
      const [, port = ""] = await printed(proxy.stdout, /127\.0\.0\.1:(\d+)/);
      expect(await fetchText(port, "/api/v1/nodes/n1/proxy/containerLogs/default/web/main")).toBe("one\ntwo\n");
      expect(await fetchText(port, "/api/v1/namespaces/default/pods/web/log?container=main")).toBe("one\ntwo\n");
      proxy.kill();
    });
  });
}
