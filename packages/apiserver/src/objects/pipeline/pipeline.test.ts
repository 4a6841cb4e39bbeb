import { type FieldError, fieldPath, forbidden } from "@coxswain/apimachinery/field";
import { cloneJson, encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { configMapKind } from "@coxswain/kinds/core/config-map";
import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import type { ObjectDeps } from "../object-deps.js";
import type { Projection } from "../projection.js";
import type { WriteScope } from "../write-scope.js";
import { pendingWrite } from "./pending-write.js";
import { allSteps, runSteps } from "./pipeline.js";

const stored: KubernetesObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "n", uid: "1", resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z" },
};

/** A write through the whole pipeline, and what it met on the way. */
function writeThat({ own = [], view = "", isNew = false, isProjected = false }: WriteCase) {
  const met: string[] = [];
  const meet = <T>(what: string, result: T): T => (met.push(what), result);
  const strategy = {
    resetFields: [],
    prepareForCreate: () => void met.push("prepare new"),
    prepareForUpdate: () => void met.push("prepare changed"),
    validateCreate: () => meet("validate new", own),
    validateUpdate: () => meet("validate changed", own),
    warningsOnCreate: () => [],
    canonicalize: () => void met.push("canonicalize"),
  };
  const kind = { ...configMapKind, strategy, views: { status: strategy } } as unknown as AnyKind;
  const deps = {
    runtime: testRuntime(1),
    gates: { enabled: () => false },
    admission: { admit: () => void met.push("mutate"), validate: () => void met.push("admit") },
    authorizationOf: () => ({
      authorizeWrite: () => Promise.resolve(void met.push("authorize write")),
      authorizeValid: () => Promise.resolve(meet("authorize valid", [])),
      authorizeView: () => Promise.resolve(meet("authorize view", [])),
    }),
    transactionOf: () => ({
      create: () => Promise.resolve(meet("transaction", { writes: [] })),
      update: () => Promise.resolve(meet("transaction", { writes: [] })),
      remove: () => Promise.resolve({ writes: [] }),
    }),
  } as unknown as ObjectDeps;
  const projection: Projection = {
    stored: kind,
    project: (object) => meet("project", cloneJson(object)),
    restore: (object) => meet("restore", object),
  };
  const storedScope: WriteScope = {
    kind,
    view,
    namespace: "n",
    name: "a",
    user: { name: "u", groups: [] },
    verb: "update",
    manager: "m",
    dryRun: false,
    warn: () => {},
    annotate: () => {},
  };
  const write = pendingWrite({
    deps,
    request: "update",
    requested: {
      fieldsTracked: true,
      next: (old) => meet("next", cloneJson(old ?? stored)),
      mayCreate: () => Promise.resolve(void met.push("may create")),
    },
    scope: isProjected ? { ...storedScope, projection } : storedScope,
    storedScope,
    name: "a",
    current: isNew
      ? undefined
      : { revision: 7, object: stored, bytes: encodeJson(stored, configMapKind.schema), stale: false },
  });
  return { met, running: runSteps(write, allSteps) };
}

interface WriteCase {
  readonly own?: FieldError[];
  readonly view?: string;
  readonly isNew?: boolean;
  readonly isProjected?: boolean;
}

describe("the pipeline of a write", () => {
  const before = "next, mutate, authorize write, transaction";
  const cases: (WriteCase & { name: string; met: string })[] = [
    {
      name: "a replaced object is mutated, authorized, prepared, validated and admitted",
      met: `${before}, prepare changed, validate changed, authorize valid, canonicalize, admit`,
    },
    {
      name: "an update that creates has to be allowed to create before it is admitted",
      isNew: true,
      met: `${before}, prepare new, validate new, authorize valid, canonicalize, may create, admit`,
    },
    {
      name: "a view is authorized as a view, and joins no transaction",
      view: "status",
      met: "next, mutate, prepare changed, validate changed, authorize view, canonicalize, admit",
    },
    {
      name: "a projection is mutated as the client sees it and validated as it is stored",
      isProjected: true,
      met: "project, next, mutate, restore, authorize write, transaction, prepare changed, validate changed, authorize valid, canonicalize, project, admit",
    },
  ];
  it.each(cases)("$name", async ({ met: wanted, ...given }) => {
    const { met, running } = writeThat(given);
    await running;
    expect(met.join(", ")).toBe(wanted);
  });

  it("an invalid object is neither authorized as valid nor admitted", async () => {
    const { met, running } = writeThat({ own: [forbidden(fieldPath("data"), "no")] });
    await expect(running).rejects.toThrow("data: Forbidden: no");
    expect(met.join(", ")).toBe(`${before}, prepare changed, validate changed`);
  });
});
