import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineFlags, parseFlags } from "@coxswain/component/flags";
import { afterAll, describe, expect, it } from "vitest";
import { type Engine, engineFrom, etcdFlags } from "./engine-flags.js";

const folder = mkdtempSync(join(tmpdir(), "coxswain-flags-"));
const file = (name: string, text: string): string => (writeFileSync(join(folder, name), text), join(folder, name));
afterAll(() => rmSync(folder, { recursive: true }));

const flags = defineFlags({
  storage: { group: "Store", type: "string", default: "lmdb", choices: ["lmdb", "memory", "etcd"], help: "" },
  ...etcdFlags,
});
const parse = (line: string, environment: NodeJS.ProcessEnv = {}): Engine => {
  const parsed = parseFlags(flags, line.split(" ").filter(Boolean));
  if (parsed.kind === "help") throw new Error("help");
  return engineFrom(parsed.options, parsed.given, environment);
};
const etcd = { name: "etcd", servers: ["http://a:2379"], prefix: "/registry", tls: {}, compactionIntervalMs: 300_000 };

describe("the engine that flags choose", () => {
  const good: { line: string; engine: unknown; environment?: NodeJS.ProcessEnv }[] = [
    { line: "", engine: { name: "lmdb" } },
    { line: "--storage memory", engine: { name: "memory" } },
    { line: "--etcd-servers http://a:2379", engine: etcd },
    {
      line: "--storage etcd --etcd-servers http://a:2379,http://b:2379",
      engine: { ...etcd, servers: ["http://a:2379", "http://b:2379"] },
    },
    {
      line: "--etcd-servers http://a:2379 --etcd-prefix one/two/ --etcd-compaction-interval 0",
      engine: { ...etcd, prefix: "/one/two", compactionIntervalMs: 0 },
    },
    {
      line: `--etcd-servers http://a:2379 --etcd-cafile ${file("ca", "CA")} --etcd-certfile ${file("crt", "CRT")} --etcd-keyfile ${file("key", "KEY")}`,
      engine: { ...etcd, tls: { ca: "CA", certificate: "CRT", key: "KEY" } },
    },
    {
      line: `--etcd-servers http://a:2379 --etcd-user root --etcd-password-file ${file("password", "secret\n")}`,
      engine: { ...etcd, user: { name: "root", password: "secret" } },
    },
    {
      line: "--etcd-servers http://a:2379",
      environment: { COXSWAIN_ETCD_USER: "root", COXSWAIN_ETCD_PASSWORD: "s" },
      engine: { ...etcd, user: { name: "root", password: "s" } },
    },
  ];
  for (const { line, engine, environment } of good)
    it(`${line || "nothing"}${environment ? " and the environment" : ""}`, () =>
      expect(parse(line, environment)).toEqual(engine));

  const bad: [string, string][] = [
    ["--storage etcd", "--storage etcd needs --etcd-servers"],
    ["--storage lmdb --etcd-servers http://a:2379", "--etcd-servers is for --storage etcd, not for lmdb"],
    ["--etcd-prefix /x", "--etcd-prefix is for --storage etcd, not for lmdb"],
    ["--etcd-servers a:2379", "--etcd-servers must be URLs"],
    ["--etcd-servers http://a:2379 --etcd-certfile x", "go together"],
    ["--etcd-servers http://a:2379 --etcd-user root", "needs a password"],
    ["--etcd-servers http://a:2379 --etcd-cafile /nowhere", "--etcd-cafile: ENOENT"],
  ];
  for (const [line, message] of bad) it(`refuses ${line}`, () => expect(() => parse(line)).toThrow(message));
});
