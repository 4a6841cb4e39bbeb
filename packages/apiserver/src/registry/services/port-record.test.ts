import { builtInTypes } from "@coxswain/api/tables";
import { encodeProtobufObject } from "@coxswain/apimachinery/protobuf";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { createPortRecord, portRecordKey } from "./port-record.js";

const range = { first: 30_000, last: 32_767 };

describe("the node ports in use", () => {
  it("are read where a kube-apiserver over the same store has written them", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const record = {
      kind: "RangeAllocation",
      apiVersion: "v1",
      metadata: {},
      range: "30000-32767",
      data: Buffer.from([0b10, 0b101]).toString("base64"),
    };
    await store.put({
      key: portRecordKey,
      value: encodeProtobufObject(record, builtInTypes.get("io.k8s.api.core.v1.RangeAllocation")),
      expected: 0,
    });
    expect([...(await createPortRecord(store, range, () => []).used())].sort()).toEqual([30_000, 30_002, 30_009]);
  });
});
