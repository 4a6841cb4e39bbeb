import { parseFlags } from "@coxswain/component/flags";
import { describe, expect, it } from "vitest";
import { type StoreSetup, storeFlags, storeFrom } from "./store-flags.js";

const parse = (line: string): StoreSetup => {
  const parsed = parseFlags(storeFlags, line.split(" ").filter(Boolean));
  if (parsed.kind === "help") throw new Error("help");
  return storeFrom(parsed.options, parsed.given);
};

describe("how much of its own history the store keeps", () => {
  it("is five minutes, as etcd's is with kube-apiserver, and bounded", () =>
    expect(parse("").compaction).toEqual({ ageMs: 300_000, bytes: 256 << 20 }));
  it("is what flags set", () =>
    expect(parse("--store-history-age 1h --store-history-size 1024").compaction).toEqual({
      ageMs: 3_600_000,
      bytes: 1024 << 20,
    }));
  it("is etcd's own affair with etcd", () =>
    expect(() => parse("--etcd-servers http://a:2379 --store-history-age 1h")).toThrow("--etcd-compaction-interval"));
});
