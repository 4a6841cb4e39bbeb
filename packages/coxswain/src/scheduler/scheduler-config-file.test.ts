import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { postToExtender } from "./post-to-extender.js";
import { readSchedulerConfig } from "./scheduler-config-file.js";

describe("the scheduler's configuration file", () => {
  const folder = mkdtempSync(join(tmpdir(), "scheduler-config-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const gates = { enabled: () => false };
  const read = (text: string): ReturnType<typeof readSchedulerConfig> => {
    const file = join(folder, "config.yaml");
    writeFileSync(file, text);
    return readSchedulerConfig(file, gates);
  };
  const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

  it("names profiles", () => {
    const { profiles } = read(`${head}profiles:\n- schedulerName: default-scheduler\n- schedulerName: second\n`);
    expect(profiles.map(({ schedulerName }) => schedulerName)).toEqual(["default-scheduler", "second"]);
  });
  it("gets an error that names the file", () =>
    expect(() => read(`${head}profile: []\n`)).toThrow(/config\.yaml: strict decoding error: unknown field "profile"/));
  it("that is not there is an error, too", () =>
    expect(() => readSchedulerConfig("/nowhere", gates)).toThrow("/nowhere: ENOENT"));
});

describe("asking an extender", () => {
  it("posts JSON and reads the answer", async () => {
    const server = createServer((request, response) => {
      request.resume();
      request.on("end", () => response.writeHead(200).end(JSON.stringify({ path: request.url })));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/filter`;
    const settings = { urlPrefix: url, httpTimeoutMs: 5000 };
    expect(await postToExtender(url, {}, settings)).toEqual({ code: 200, body: { path: "/filter" } });
    await new Promise((resolve) => server.close(resolve));
    await expect(postToExtender(url, {}, settings)).rejects.toThrow(/ECONNREFUSED|socket hang up/);
  });
});
