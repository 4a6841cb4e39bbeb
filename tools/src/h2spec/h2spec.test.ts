import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CoxswainProcess, removeDataDir, startCoxswain } from "../clients/index.js";
import { cachedProgram, parseKubeconfig } from "../upstream/index.js";
import type { CaseOutcome } from "./report.js";
import { runH2spec } from "./run-h2spec.js";
import { leftToChance, upstreamFailures } from "./upstream-failures.js";

const program = cachedProgram("h2spec");
if (!program) console.warn('\n*** NOT TESTED: the cases of h2spec (build it with "npm run h2spec") ***\n');

const closesAtOnce = "node:http2 closes the connection with the last answer, before it has read what follows; Go waits a second";
const forgets = "nghttp2 forgets a stream once it is closed, and ignores frames on it";

/** What kube-apiserver passes and ours does not, by case. */
const knownGaps: Readonly<Record<string, string>> = {
  "nobody generic/2: Sends a RST_STREAM frame on half-closed (remote) stream": closesAtOnce,
  "nobody generic/2: Sends a PRIORITY frame on closed stream": closesAtOnce,
  "nobody generic/3.4: Sends a RST_STREAM frame": closesAtOnce,
  "nobody http2/7: Sends a RST_STREAM frame with unknown error code": closesAtOnce,
  "admin http2/5.1: closed: Sends a DATA frame after sending RST_STREAM frame": forgets,
  "admin http2/5.1: closed: Sends a HEADERS frame after sending RST_STREAM frame": forgets,
  "admin http2/5.1: closed: Sends a DATA frame": forgets,
  "admin http2/5.1: closed: Sends a HEADERS frame": forgets,
  "admin http2/5.1.1: Sends stream identifier that is numerically smaller than previous": forgets,
};
for (const who of ["nobody", "admin"]) {
  Object.assign(knownGaps, {
    [`${who} http2/6.7: Sends a PING frame with ACK`]: "node:http2 ends a connection on which a ping is answered that it never sent",
    [`${who} http2/6.9.1: Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1`]: "node:http2 ends the connection with another code",
  });
}

/** Gaps that show only if the answer is ready before the frame it should have been refused for: they cannot complain. */
const gapsByChance: Readonly<Record<string, string>> = { 'admin http2/6.1: Sends a DATA frame on the stream that is not in "open" or "half-closed (local)" state': forgets };

describe.runIf(program)("the cases of h2spec", { timeout: 120_000 }, () => {
  let server: CoxswainProcess;
  let outcomes: readonly CaseOutcome[];
  beforeAll(async () => {
    server = await startCoxswain({ args: ["--storage=memory", "--log-level=error"] });
    outcomes = await runH2spec(program as string, parseKubeconfig(readFileSync(server.kubeconfig, "utf8")));
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    removeDataDir(server);
  });

  it("are passed wherever kube-apiserver passes them", () => {
    const excused = [...upstreamFailures, ...leftToChance, ...Object.keys(knownGaps), ...Object.keys(gapsByChance)];
    expect(outcomes.length).toBeGreaterThan(280);
    expect(outcomes.filter(({ name, verdict }) => verdict === "failed" && !excused.includes(name))).toEqual([]);
  });

  it("that are known gaps still fail, else the gap is to be deleted", () => {
    const failed = outcomes.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
    expect(Object.keys(knownGaps).filter((name) => !failed.includes(name))).toEqual([]);
  });
});
