import { GrpcError } from "@coxswain/wire/grpc";
import { describe, expect, it } from "vitest";
import { mayRepeat, storeErrorOf } from "./errors.js";

describe("an error of etcd", () => {
  const cases: { error: GrpcError; read: string; write: string; repeats: { read: boolean; write: boolean } }[] = [
    {
      error: new GrpcError("OUT_OF_RANGE", "etcdserver: mvcc: required revision has been compacted"),
      read: "expired",
      write: "expired",
      repeats: { read: false, write: false },
    },
    {
      error: new GrpcError("OUT_OF_RANGE", "etcdserver: mvcc: required revision is a future revision"),
      read: "future",
      write: "future",
      repeats: { read: false, write: false },
    },
    {
      error: new GrpcError("NOT_FOUND", "etcdserver: requested lease not found"),
      read: "lease-gone",
      write: "lease-gone",
      repeats: { read: false, write: false },
    },
    {
      error: new GrpcError("RESOURCE_EXHAUSTED", "etcdserver: mvcc: database space exceeded"),
      read: "full",
      write: "full",
      repeats: { read: false, write: false },
    },
    {
      error: new GrpcError("INVALID_ARGUMENT", "etcdserver: request is too large"),
      read: "too-large",
      write: "too-large",
      repeats: { read: false, write: false },
    },
    {
      error: new GrpcError("RESOURCE_EXHAUSTED", "etcdserver: too many requests"),
      read: "unavailable",
      write: "unavailable",
      repeats: { read: true, write: true },
    },
    {
      error: new GrpcError("UNKNOWN", "raft proposal dropped"),
      read: "unavailable",
      write: "outcome-unknown",
      repeats: { read: true, write: true },
    },
    {
      error: new GrpcError("UNAVAILABLE", "etcdserver: leader changed"),
      read: "unavailable",
      write: "outcome-unknown",
      repeats: { read: true, write: false },
    },
    {
      error: new GrpcError("UNAVAILABLE", "cannot connect", { neverSent: true }),
      read: "unavailable",
      write: "unavailable",
      repeats: { read: true, write: true },
    },
    {
      error: new GrpcError("DEADLINE_EXCEEDED", "not answered"),
      read: "unavailable",
      write: "outcome-unknown",
      repeats: { read: false, write: false },
    },
    {
      error: new GrpcError("PERMISSION_DENIED", "etcdserver: permission denied"),
      read: "unavailable",
      write: "unavailable",
      repeats: { read: false, write: false },
    },
  ];
  for (const { error, read, write, repeats } of cases) {
    it(`${error.code}: ${error.message}`, () => {
      expect(storeErrorOf(error, "read")).toMatchObject({ reason: read });
      expect(storeErrorOf(error, "write")).toMatchObject({ reason: write });
      expect({ read: mayRepeat(error, "read"), write: mayRepeat(error, "write") }).toEqual(repeats);
    });
  }

  it("leaves any other error alone", () => {
    const error = new Error("mine");
    expect(storeErrorOf(error, "write")).toBe(error);
    expect(mayRepeat(error, "read")).toBe(false);
  });
});
