import { fileURLToPath } from "node:url";
import { systemRuntime } from "@coxswain/runtime";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { casesOf, compactOf, playSubject, readCompact, readSubjects, subjectName } from "@coxswain/tools/oracle";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./server/compose/api-server.js";
import { createByteRequester } from "./server/in-process/byte-requester.js";
import { createStandingClock } from "./server/requests/standing-clock.test.support.js";

/** Each rule of kube-apiserver once, as `npm run tool -- oracle --record` found it among generated cases; see docs/oracle.md. */
describe("rules as recorded from kube-apiserver", () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime({ clock: createStandingClock(), random: createSeededRandom("recorded") }),
      store: createMemoryStore({ runtime: systemRuntime() }),
      services: { clusterIpRanges: ["10.0.0.0/24"] },
      authorizers: ["AlwaysAllow"],
      // As the recorded server had it: nobody made accounts there.
      admission: { disabled: ["ServiceAccount"] },
    });
  });
  afterAll(() => server.stop());

  const subjects = new Map(readSubjects().map((subject) => [subjectName(subject), subject]));
  for (const [kind, recorded] of readCompact(fileURLToPath(new URL("../testdata/oracle/", import.meta.url)))) {
    it(kind, async () => {
      const subject = subjects.get(kind);
      if (!subject) throw new Error(`there are no objects for ${kind}`);
      const wanted = new Map(recorded.map((answer) => [answer.sentence, answer]));
      const cases = casesOf(subject, { seed: "1", limit: Infinity }).filter(
        ({ sentence, phase }) => phase === "make" || wanted.has(sentence),
      );
      const request = createByteRequester(server, { name: "kubernetes-admin", groups: ["system:masters"] });
      const answers = await playSubject(subject, cases, request);
      const got = recorded.map(({ sentence, body }) => {
        const answer = answers.get(sentence);
        return answer
          ? compactOf(answer, body !== undefined)
          : { sentence, status: -1, message: "no such case is made any more: record again" };
      });
      expect(got).toEqual(recorded);
    });
  }
});
