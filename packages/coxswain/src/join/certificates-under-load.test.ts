import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { expect, it } from "vitest";

const minutes = process.env["COXSWAIN_CERTIFICATE_MINUTES"];
const missing =
  minutes === undefined ? "npm run tool -- node-certificates, which takes its minutes" : missingForContainers();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  timeout: (Number(minutes ?? 0) + 10) * 60_000,
} as const;

describeWith("certificates of nodes under load", need, () => {
  it("are replaced without a failed request", async () => {
    const path = "packages/coxswain/src/join/certificates-under-load.nodes-test.ts";
    const { code, output } = await runTestsInNamespaces(path);
    process.stdout.write(output);
    expect(code).toBe(0);
  });
});
