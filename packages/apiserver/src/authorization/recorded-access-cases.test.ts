import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { accessTokens } from "@coxswain/tools/access";
import { findDifferences, formatDifference, playCase, readCases, readRecording } from "@coxswain/tools/record";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { type ByteRequest, createByteRequester } from "../server/in-process/byte-requester.js";

/** Steps that we do not answer as kube-apiserver does, each with its reason. A gap that has closed fails the test. */
const knownGaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** What kube-apiserver answered to those who may not (`npm run record -- access`), with Node,RBAC and NodeRestriction. */
describe("access as recorded from kube-apiserver", () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      admission: { disabled: ["ServiceAccount"] },
      authentication: {
        tokenFile: accessTokens,
        serviceAccount: { issuers: ["https://kubernetes.default.svc"] },
        anonymous: { enabled: true, paths: [] },
      },
    });
  });
  afterAll(() => server.stop());

  for (const { path, case: played } of readCases(new URL("../../testdata/access/cases/", import.meta.url))) {
    it(played.name, async () => {
      const admin = createByteRequester(server, { name: "kubernetes-admin", groups: ["system:masters"] });
      const bearer = createByteRequester(server, undefined);
      const answers = await playCase(
        played,
        (request: ByteRequest) => ("authorization" in request.headers ? bearer : admin)(request),
        { watchTimeoutMs: 2000 },
      );
      const differences = findDifferences(readRecording(path)?.answers ?? [], answers);
      const gaps = knownGaps[played.name] ?? {};
      expect(differences.filter(({ step }) => !Object.hasOwn(gaps, step)).map(formatDifference)).toEqual([]);
      expect(
        Object.keys(gaps).filter((step) => !differences.some((difference) => difference.step === step)),
        "these steps answer as recorded now: delete their gaps",
      ).toEqual([]);
    });
  }
});
