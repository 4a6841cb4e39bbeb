import { readFileSync } from "node:fs";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { auditTokens, playAudited } from "@coxswain/tools/audit";
import { findDifferences, formatDifference, type JsonObject, readCases, readRecording } from "@coxswain/tools/record";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { readPolicy } from "./read-policy.js";

const folder = new URL("../../testdata/audit/", import.meta.url);

/** Events that differ from kube-apiserver's, each with its reason. A gap that has closed fails the test. */
const knownGaps: Readonly<Record<string, string>> = {};

/** What kube-apiserver's audit log recorded of the same requests under the same policy (`npm run record -- audit`). */
describe("the audit log as recorded from kube-apiserver", () => {
  for (const { path, case: played } of readCases(new URL("cases/", folder))) {
    it(played.name, async () => {
      const lines: JsonObject[] = [];
      const out = {
        write: (text: string) =>
          void lines.push(
            ...text
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line) as JsonObject),
          ),
        close: () => {},
      };
      const audit = {
        policy: readPolicy(readFileSync(new URL("policy.yaml", folder), "utf8"), () => {}),
        log: {
          out,
          format: "json" as const,
          delivery: { mode: "blocking" as const, batch: { bufferSize: 1, maxBatchSize: 1, maxWaitMs: 0 } },
        },
      };
      const authentication = {
        tokenFile: auditTokens,
        anonymous: { enabled: true, paths: [] },
        serviceAccount: { issuers: ["https://kubernetes.default.svc"] },
      };
      const server = await startApiServer({
        runtime: systemRuntime(),
        store: createMemoryStore({ runtime: systemRuntime() }),
        admission: { disabled: ["ServiceAccount"] },
        audit,
        authentication,
        services: { clusterIpRanges: ["10.0.0.0/24"] },
      });
      const audited = await playAudited(played, {
        request: createByteRequester(server, undefined),
        events: () => server.stop().then(() => lines),
      });
      const recorded = readRecording(path)?.answers ?? [];
      const differences = findDifferences(recorded, audited);
      expect(differences.filter(({ step }) => !Object.hasOwn(knownGaps, step)).map(formatDifference)).toEqual([]);
      const isExpected = ({ step }: { step: string }): boolean => recorded.some((event) => event.step === step);
      expect(
        audited.filter((event) => !isExpected(event) && !Object.hasOwn(knownGaps, event.step)).map(({ step }) => step),
        "kube-apiserver does not record these",
      ).toEqual([]);
      expect(
        Object.keys(knownGaps).filter((step) => !differences.some((difference) => difference.step === step)),
        "these events are as recorded now: delete their gaps",
      ).toEqual([]);
    });
  }
});
