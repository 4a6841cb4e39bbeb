import { describe, expect, it } from "vitest";
import { serverStartHooks } from "./server-start-hooks.js";
import { createStartHooks, type StartStep } from "./start-hooks.js";

const steps: readonly StartStep[] = [
  "caches are filled",
  "admission is ready",
  "objects are made",
  "objects are up to date",
  "everything is served",
];

describe("start hooks", () => {
  it("hold one after the other, each once its step is done", () => {
    const hooks = createStartHooks(serverStartHooks({ withRbac: true, more: ["start-more"] }));
    const finished = (): string[] => hooks.names.filter((name) => hooks.problem(name) === undefined);
    expect(finished()).toEqual([]);
    expect(hooks.problem("storage-readiness")).toBe("not finished");
    const counts = steps.map((step) => {
      hooks.reach(step);
      return finished().length;
    });
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
    expect(finished()).toEqual(hooks.names);
  });
  it("caches come before roles", () => {
    const hooks = createStartHooks(serverStartHooks({ withRbac: true }));
    hooks.reach("caches are filled");
    expect(hooks.problem("generic-apiserver-start-informers")).toBeUndefined();
    expect(hooks.problem("rbac/bootstrap-roles")).toBe("not finished");
    hooks.reach("objects are made");
    expect(hooks.problem("rbac/bootstrap-roles")).toBeUndefined();
    expect(hooks.problem("bootstrap-controller")).toBe("not finished");
  });
  it("without RBAC no roles are waited for", () =>
    expect(createStartHooks(serverStartHooks({ withRbac: false })).names).not.toContain("rbac/bootstrap-roles"));
});
