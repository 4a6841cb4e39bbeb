import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import type { KeyValueStore } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { componentStatusColumns } from "./columns.js";
import { createComponentChecks } from "./component-checks.js";
import { createHttpsProbe } from "./probe-https.js";

const healthy = () => Promise.resolve({ status: "True", message: "ok" } as const);

describe("component statuses", () => {
  it("a store that answers is healthy", async () => {
    const checks = createComponentChecks(createMemoryStore({ runtime: systemRuntime() }), healthy);
    expect([...checks.keys()].sort()).toEqual(["controller-manager", "etcd-0", "scheduler"]);
    expect(await checks.get("etcd-0")?.()).toEqual({ status: "True", message: "ok" });
  });

  it("a store that fails reports why", async () => {
    const store = { status: () => Promise.reject(new Error("the disk is gone")) } as unknown as KeyValueStore;
    expect(await createComponentChecks(store, healthy).get("etcd-0")?.()).toEqual({
      status: "False",
      message: "",
      error: "the disk is gone",
    });
  });

  it("a refused connection is reported with Go's message", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await createHttpsProbe(systemClock)({ host: "127.0.0.1", port, path: "/healthz" })).toEqual({
      status: "False",
      message: `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    });
  });

  it("what has no condition is unknown", () => {
    expect(componentStatusColumns.cells({ metadata: { name: "x" } }, 0)).toEqual(["x", "Unknown", "", ""]);
  });
});
