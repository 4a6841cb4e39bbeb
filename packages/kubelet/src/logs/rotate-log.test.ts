import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { testRuntime } from "@coxswain/runtime";
import { macrotask } from "@coxswain/runtime/event-loop";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogRotator } from "./log-rotator.js";
import { createNodeLogs } from "./node-logs.js";

let root = "";
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "logs-"))));
afterEach(() => rmSync(root, { recursive: true }));

const pod = { metadata: { name: "web", namespace: "shop", uid: "u1" } };

describe("rotation of logs", () => {
  const rotatorOf = (path: string, reopen: () => void, runtime = testRuntime(1)) =>
    createLogRotator({
      maxBytes: 10,
      maxFiles: 3,
      everyMs: 10_000,
      running: async () => [{ id: "c1", path }],
      reopen: async () => reopen(),
      runtime,
    });

  it("a log that is large enough is renamed, the one before is compressed, older ones go", async () => {
    const path = join(root, "0.log");
    const runtime = testRuntime(1);
    const rotator = rotatorOf(path, () => writeFileSync(path, "", { mode: 0o640 }), runtime);
    for (const text of ["first file\n", "small\n", "second file\n", "third file\n"]) {
      writeFileSync(path, text, { mode: 0o640 });
      await rotator.rotate();
      await runtime.clock.advance(10_000);
    }
    const names = readdirSync(root).sort();
    expect(names.map((name) => name.replace(/\d{8}-\d{6}/, "TIME")).sort()).toEqual([
      "0.log",
      "0.log.TIME",
      "0.log.TIME.gz",
    ]);
    const old = names.find((name) => name.endsWith(".gz")) ?? "";
    expect(gunzipSync(readFileSync(join(root, old))).toString()).toBe("second file\n");
    expect(statSync(join(root, old)).mode & 0o777).toBe(0o640);
  });
  it("a log has its name back when the runtime does not reopen it", async () => {
    const path = join(root, "0.log");
    writeFileSync(path, "long enough\n");
    await rotatorOf(path, () => {
      throw new Error("gone");
    }).rotate();
    expect(readdirSync(root)).toEqual(["0.log"]);
  });
  it("a log that is gone is made anew", async () => {
    const path = join(root, "0.log");
    await rotatorOf(path, () => writeFileSync(path, "")).rotate();
    expect(readdirSync(root)).toEqual(["0.log"]);
  });
  it("is looked at now and then", async () => {
    const path = join(root, "0.log");
    const runtime = testRuntime(1);
    const reopened: string[] = [];
    const rotator = rotatorOf(path, () => reopened.push(path), runtime);
    rotator.start();
    await runtime.clock.advance(9_999);
    expect(reopened).toEqual([]);
    await runtime.clock.advance(1);
    while (reopened.length === 0) await macrotask();
    await rotator.stop();
  });
});

describe("logs of a node", () => {
  const logs = () => createNodeLogs({ podLogsDirectory: join(root, "pods"), linksDirectory: join(root, "containers") });
  const run = { pod, container: "main", attempt: 2, id: "c0ffee" };

  it("are where upstream's are, with links for log collectors", async () => {
    const all = logs();
    const directory = await all.prepare(pod, "main");
    expect(directory).toBe(join(root, "pods/shop_web_u1"));
    writeFileSync(all.pathOf(run), "text");
    await all.link(run);
    expect(readFileSync(join(root, "containers/web_shop_main-c0ffee.log"), "utf8")).toBe("text");
    expect(await all.podUids()).toEqual(["u1"]);
  });
  it("go with their run, with what was rotated of them", async () => {
    const all = logs();
    await all.prepare(pod, "main");
    for (const name of ["", ".20260101-000000", ".20250101-000000.gz"]) writeFileSync(all.pathOf(run) + name, "text");
    writeFileSync(all.pathOf({ ...run, attempt: 21 }), "another run");
    await all.link(run);
    await all.remove(run);
    expect(readdirSync(join(root, "pods/shop_web_u1/main"))).toEqual(["21.log"]);
    expect(readdirSync(join(root, "containers"))).toEqual([]);
  });
  it("go with their pod, and links to them are swept", async () => {
    const all = logs();
    await all.prepare(pod, "main");
    writeFileSync(all.pathOf(run), "text");
    await all.link(run);
    writeFileSync(join(root, "containers/mine"), "somebody else's");
    await all.removePod("u1");
    await all.sweepLinks();
    expect(readdirSync(join(root, "pods"))).toEqual([]);
    expect(readdirSync(join(root, "containers"))).toEqual(["mine"]);
  });
});
