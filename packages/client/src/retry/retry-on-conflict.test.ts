import { conflict, internalError } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { retryOnConflict } from "./index.js";

describe("retrying on conflict", () => {
  async function run(failures: (attempt: number) => Error | undefined) {
    const runtime = testRuntime(1);
    const { clock } = runtime;
    let attempts = 0;
    const outcome = retryOnConflict(
      async () => {
        const failure = failures(++attempts);
        if (failure !== undefined) throw failure;
        return "written";
      },
      { runtime },
    ).catch((error: unknown) => String(error));
    await clock.advance(1000);
    return { outcome: await outcome, attempts };
  }
  const lost = conflict({ group: "", resource: "pods" }, "web", "modified");

  it("tries again until it works", async () =>
    expect(await run((attempt) => (attempt < 3 ? lost : undefined))).toEqual({ outcome: "written", attempts: 3 }));
  it("gives up after five tries", async () => expect(await run(() => lost)).toMatchObject({ attempts: 5 }));
  it("does not repeat another failure", async () =>
    expect(await run(() => internalError("no"))).toMatchObject({ attempts: 1 }));
});
