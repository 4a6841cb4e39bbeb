import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { completeConfig } from "../config/complete-config.js";
import { planLimits, setLimits } from "./set-limits.js";

const limits = (conntrack: object, cores: number) =>
  Object.fromEntries(planLimits(completeConfig({ conntrack }).conntrack, cores));

describe("limits of conntrack", () => {
  // pkg/proxy/conntrack/sysctls_test.go, TestGetConntrackMax
  const rows = [
    { min: 0, maxPerCore: 0, cores: 14, max: undefined },
    { min: 1, maxPerCore: 1, cores: 14, max: 14 },
    { min: 15, maxPerCore: 1, cores: 14, max: 15 },
    { min: 131_072, maxPerCore: 32_768, cores: 14, max: 458_752 },
    { min: 131_072, maxPerCore: 32_768, cores: 64, max: 1_048_576 },
  ];
  for (const { min, maxPerCore, cores, max } of rows)
    it(`${maxPerCore} per core and at least ${min} on ${cores} cores: ${max ?? "left alone"}`, () =>
      expect(limits({ min, maxPerCore }, cores)["nf_conntrack_max"]).toBe(max));

  it("time-outs are seconds; what is not asked for is left alone", () =>
    expect(
      limits(
        {
          maxPerCore: 0,
          tcpEstablishedTimeout: "0s",
          tcpCloseWaitTimeout: "90s",
          udpTimeout: "1m",
          tcpBeLiberal: true,
        },
        1,
      ),
    ).toEqual({
      nf_conntrack_tcp_timeout_close_wait: 90,
      nf_conntrack_udp_timeout: 60,
      nf_conntrack_tcp_be_liberal: 1,
    }));

  it("are written where they differ; what cannot be written is reported", async () => {
    const folder = mkdtempSync(join(tmpdir(), "limits-"));
    writeFileSync(join(folder, "nf_conntrack_max"), "1\n");
    const problems = await setLimits(
      [
        ["nf_conntrack_max", 7],
        ["missing", 1],
      ],
      folder,
    );
    expect(readFileSync(join(folder, "nf_conntrack_max"), "utf8")).toBe("7");
    expect(problems.join()).toMatch(/^missing=1: ENOENT/);
    rmSync(folder, { recursive: true });
  });
});
