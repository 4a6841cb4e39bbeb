import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { InsideConnection, InsideDial } from "@coxswain/apiserver";
import { connectedPair, type UsageReader } from "@coxswain/kubelet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRemoteNodes } from "./remote-nodes.js";
import { serveNodes } from "./serve-nodes.js";

const folder = mkdtempSync(join(tmpdir(), "coxswain-parts-"));
const socketPath = join(folder, "nodes.sock");
const user = { name: "jürgen", groups: ["a, b", "system:masters"] };
const dial: InsideDial = { hostname: "10.244.0.2", port: 80, scheme: "http", user };
const dialled: InsideDial[] = [];

/** Answers what it is sent, in capitals; port 81 refuses. */
function connectTo(asked: InsideDial): InsideConnection {
  dialled.push(asked);
  if (asked.port === 81) return { kind: "failed", code: "ECONNREFUSED", address: "10.244.0.2" };
  const [ours, theirs] = connectedPair();
  let given = "";
  ours.on("data", (chunk) => (given += String(chunk))).once("end", () => ours.end(given.toUpperCase()));
  return { kind: "connected", connection: theirs };
}

const usage = {
  allNodeMetrics: () => Promise.resolve([{ kind: "NodeMetrics" }]),
  nodeMetrics: (name: string) => Promise.resolve(name === "node-0" ? { kind: "NodeMetrics", name } : undefined),
  allPodMetrics: (namespace?: string) => Promise.resolve([{ kind: "PodMetrics", namespace }]),
  podMetrics: (namespace: string, name: string) => Promise.resolve({ kind: "PodMetrics", namespace, name }),
} as unknown as UsageReader;

const remote = (token = "secret", path = socketPath) =>
  createRemoteNodes({ socketPath: path, token, owns: () => true });

function open(asked: InsideDial, from = remote()) {
  const made = from.connections.connect(asked);
  if (made.kind === "failed") throw new Error("it is known later");
  return made.connection;
}

describe("nodes in another process", () => {
  let server: Awaited<ReturnType<typeof serveNodes>>;
  beforeAll(async () => {
    server = await serveNodes({
      path: socketPath,
      token: "secret",
      connections: { owns: () => true, connect: connectTo },
      usage,
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are reached by a socket that nobody else opens", () => expect(statSync(socketPath).mode & 0o777).toBe(0o600));

  it("get bytes, and whose connection it is, and answer", async () => {
    const connection = open(dial);
    connection.end("hello"); // before it is connected
    expect(await text(connection)).toBe("HELLO");
    expect(dialled.at(-1)).toEqual(dial);
  });

  it("an address of IPv6 arrives as it is", async () => {
    await text(open({ ...dial, hostname: "fd00::2", user: undefined }).end(""));
    expect(dialled.at(-1)).toEqual({ ...dial, hostname: "fd00::2", user: undefined });
  });

  const failures = [
    { name: "a port at which nothing listens refuses", asked: { ...dial, port: 81 }, code: "ECONNREFUSED" },
    { name: "a stranger reaches nobody", asked: dial, from: remote("other"), code: "EHOSTUNREACH" },
    {
      name: "a process that is gone is a machine that is",
      asked: dial,
      from: remote("secret", join(folder, "none.sock")),
      code: "EHOSTUNREACH",
    },
  ];
  for (const { name, asked, from, code } of failures)
    it(name, async () => {
      const [error] = await once(open(asked, from), "error");
      expect(error).toMatchObject({ code, address: "10.244.0.2", port: asked.port });
    });

  it("report what they use", async () => {
    const { usage: read } = remote();
    expect(await read.allNodeMetrics()).toEqual([{ kind: "NodeMetrics" }]);
    expect(await read.nodeMetrics("node-0")).toEqual({ kind: "NodeMetrics", name: "node-0" });
    expect(await read.nodeMetrics("other")).toBeUndefined();
    expect(await read.allPodMetrics("shop")).toEqual([{ kind: "PodMetrics", namespace: "shop" }]);
    expect(await read.podMetrics("shop", "web")).toEqual({ kind: "PodMetrics", namespace: "shop", name: "web" });
  });

  it("use nothing for a stranger, or while they do not run", async () => {
    expect(await remote("other").usage.allNodeMetrics()).toEqual([]);
    expect(await remote("secret", join(folder, "none.sock")).usage.nodeMetrics("node-0")).toBeUndefined();
  });
});
