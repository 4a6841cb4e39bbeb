import { describe, expect, it } from "vitest";
import { runTestsInNamespaces } from "../nodes/index.js";

/** Only where it is asked for (`COXSWAIN_NODE_KILLS=seeds/pods`): it needs root and Debian's containerd, and takes minutes. */
describe.runIf(process.env["COXSWAIN_NODE_KILLS"] !== undefined)("a real node that is killed", () => {
  it("loses no container and leaves nothing behind", async () => {
    const { code, output } = await runTestsInNamespaces("tools/src/node-kills/kills.nodes-test.ts");
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
  }, 3_600_000);
});
