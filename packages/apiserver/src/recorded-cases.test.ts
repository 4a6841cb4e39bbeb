import { existsSync } from "node:fs";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createSeededRandom, type RandomSource } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import {
  findDifferences,
  formatDifference,
  groupBySettings,
  playCase,
  readCases,
  readRecording,
} from "@coxswain/tools/record";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownGaps } from "./recorded-gaps.js";
import type { ProbeComponent } from "./registry/component-statuses/component-checks.js";
import { type ApiServer, startApiServer } from "./server/compose/api-server.js";
import { createByteRequester } from "./server/in-process/byte-requester.js";
import { createStandingClock } from "./server/requests/standing-clock.test.support.js";

/** There was nobody but the API server when the answers were recorded. */
const probeComponent: ProbeComponent = ({ host, port, path }) =>
  Promise.resolve({
    status: "False",
    message: `Get "https://${host}:${port}${path}": dial tcp ${host}:${port}: connect: connection refused`,
  });

/** What the real kube-apiserver answered (`npm run record`), played against ours. */
for (const { settings, files } of groupBySettings(readCases(new URL("../testdata/cases/", import.meta.url)))) {
  const {
    authorizationMode = "AlwaysAllow",
    serviceClusterIpRanges = ["10.0.0.0/24"],
    enableAdmissionPlugins = [],
  } = settings;
  describe(["answers as recorded from kube-apiserver", ...Object.values(settings).flat()].join(" "), () => {
    let server: ApiServer;
    // A seed under which no service gets by chance an address that another case names: the range is small.
    const seed = createSeededRandom("kube-apiserver");
    let drawn: RandomSource = seed;
    const random: RandomSource = {
      next: () => drawn.next(),
      bytes: (length) => drawn.bytes(length),
      drawInto: (bytes) => drawn.drawInto(bytes),
    };
    beforeAll(async () => {
      const clock = createStandingClock();
      server = await startApiServer({
        runtime: systemRuntime({
          clock,
          // Documents count as modified when the server started; cases ask for them by fixed dates.
          ioClock: { ...systemClock, now: clock.now },
          random,
        }),
        store: createMemoryStore({ runtime: systemRuntime() }),
        services: { clusterIpRanges: serviceClusterIpRanges },
        admission: {
          enabled: enableAdmissionPlugins,
          // Nobody made accounts when the answers were recorded.
          disabled: ["ServiceAccount"].filter((name) => !enableAdmissionPlugins.includes(name)),
        },
        authorizers: [authorizationMode],
        probeComponent,
      });
    });
    afterAll(() => server.stop());

    for (const { path, case: played } of files) {
      it(played.name, async () => {
        // A reference with a description is written differently from one without, so these documents need the texts.
        if (played.name.startsWith("openapi-"))
          expect(
            existsSync(new URL("../../api/dist/descriptions/extracted.js", import.meta.url)),
            "descriptions are missing: npm run build extracts them",
          ).toBe(true);
        drawn = seed.fork(played.name); // a new case does not change what the others draw
        const request = createByteRequester(server, { name: "kubernetes-admin", groups: ["system:masters"] });
        const answers = await playCase(played, request, { watchTimeoutMs: 2000 });
        const differences = findDifferences(readRecording(path)?.answers ?? [], answers);
        const gaps = knownGaps[played.name] ?? {};
        const unexplained = differences.filter(({ step }) => !Object.hasOwn(gaps, step));
        expect(unexplained.map(formatDifference)).toEqual([]);
        const closed = Object.keys(gaps).filter((step) => !differences.some((difference) => difference.step === step));
        expect(closed, "these steps answer as recorded now: delete their gaps").toEqual([]);
      });
    }
  });
}
