import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import type { GrpcServer } from "@coxswain/wire/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { createMemoryStore } from "../memory/index.js";
import { serveEtcd } from "./serve-etcd.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("etcd's JSON gateway on a store", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-gateway-"));
  const socketPath = join(folder, "etcd.sock");
  let store: KeyValueStore;
  let server: GrpcServer;
  beforeAll(async () => {
    store = createMemoryStore({ runtime: systemRuntime() });
    server = await serveEtcd({ store, clock: systemClock, listen: { path: socketPath } });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (path: string, body?: unknown): Promise<{ status: number; json: unknown }> =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath, path, method: body === undefined ? "GET" : "POST" }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.once("end", () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }));
      });
      asked.once("error", reject);
      asked.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
    });

  it("a put and a range are base64 in JSON, with revisions as strings", async () => {
    await ask("/v3/kv/put", { key: base64("foo"), value: base64("bar") });
    const { status, json } = await ask("/v3/kv/range", { key: base64("foo") });
    expect(status).toBe(200);
    expect(json).toEqual({
      header: { cluster_id: "1", member_id: "1", revision: "2", raft_term: "1" },
      kvs: [{ key: base64("foo"), create_revision: "2", mod_revision: "2", version: "1", value: base64("bar") }],
      count: "1",
    });
  });

  it("enums have names, fields may be spelled in camel case, numbers may be strings", async () => {
    await ask("/v3/kv/put", { key: base64("fop"), value: base64("x") });
    const { json } = await ask("/v3/kv/range", {
      key: base64("fo"),
      rangeEnd: base64("fp"),
      sort_order: "DESCEND",
      limit: "1",
      keys_only: true,
    });
    expect(json).toMatchObject({ kvs: [{ key: base64("fop") }], more: true, count: "2" });
  });

  const refused: [name: string, path: string, body: unknown, status: number, message: RegExp][] = [
    ["a path that is not there", "/v3/nothing", {}, 404, /Not Found/],
    ["a GET", "/v3/kv/range", undefined, 501, /Method Not Allowed/],
    ["what is no JSON", "/v3/kv/range", "{", 400, /JSON/],
    ["a member that is not there", "/v3/kv/range", { kee: "" }, 400, /unknown field "kee"/],
    ["a key that is no base64", "/v3/kv/range", { key: "%%" }, 400, /key cannot be/],
    ["an empty key", "/v3/kv/range", { key: "" }, 400, /key is not provided/],
    ["a revision of the future", "/v3/kv/range", { key: base64("foo"), revision: "99" }, 400, /future revision/],
    ["a log-in, since there are no users", "/v3/auth/authenticate", {}, 400, /not enabled/],
    ["a body over the limit", "/v3/kv/put", { value: "A".repeat(9_000_000) }, 429, /over/],
  ];
  for (const [name, path, body, status, message] of refused)
    it(`${name} is refused by gRPC's code`, async () => {
      const answer = await ask(path, body);
      expect(answer.status).toBe(status);
      expect((answer.json as { message: string }).message).toMatch(message);
    });

  it("a watch streams a line for each response until the client goes", async () => {
    const lines = await new Promise<string[]>((resolve, reject) => {
      const asked = request({ socketPath, path: "/v3/watch", method: "POST" }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          const whole = text.split("\n").slice(0, -1);
          if (whole.length === 1) void ask("/v3/kv/deleterange", { key: base64("foo") });
          else if (whole.length === 2) {
            asked.destroy();
            resolve(whole);
          }
        });
      });
      asked.once("error", reject);
      asked.end(JSON.stringify({ create_request: { key: base64("foo"), prev_kv: true } }));
    });
    expect(lines.map((line) => (JSON.parse(line) as { result: unknown }).result)).toMatchObject([
      { created: true },
      { events: [{ type: "DELETE", kv: { key: base64("foo") }, prev_kv: { value: base64("bar") } }] },
    ]);
  });

  it("health and version are etcd's pages", async () => {
    expect((await ask("/health")).json).toEqual({ health: "true", reason: "" });
    expect((await ask("/version")).json).toMatchObject({ etcdserver: expect.stringMatching(/^3\.6/) });
  });
});
