import { fileURLToPath } from "node:url";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { compactOf, playStory, readCompact, readStories } from "@coxswain/tools/oracle";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./server/compose/api-server.js";
import { createByteRequester } from "./server/in-process/byte-requester.js";

/** Custom resources, policies and webhook configurations as `npm run tool -- oracle --group extension --record` found them; see docs/oracle.md. */
describe("what is added to the API, as recorded from kube-apiserver", () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime({ clock: systemClock, random: createSeededRandom("recorded") }),
      store: createMemoryStore({ runtime: systemRuntime() }),
      services: { clusterIpRanges: ["10.0.0.0/24"] },
      authorizers: ["AlwaysAllow"],
      admission: { disabled: ["ServiceAccount"] },
    });
  });
  afterAll(() => server.stop());

  const stories = new Map(readStories({ seed: "1", limit: Infinity }).map((story) => [story.name, story]));
  for (const [name, recorded] of readCompact(fileURLToPath(new URL("../testdata/oracle-stories/", import.meta.url)))) {
    it(name, async () => {
      const story = stories.get(name);
      if (!story) throw new Error(`there is no story ${name} any more: record again`);
      const sentences = new Set(recorded.map(({ sentence }) => sentence));
      const request = createByteRequester(server, { name: "kubernetes-admin", groups: ["system:masters"] });
      const answers = await playStory(story, request, { wanted: (sentence) => sentences.has(sentence) });
      const got = recorded.map(({ sentence, body }) => {
        const answer = answers.get(sentence);
        return answer
          ? compactOf(answer, body !== undefined)
          : { sentence, status: -1, message: "no such request is made any more: record again" };
      });
      expect(got).toEqual(recorded);
    }, 120_000); // hundreds of requests each, on a machine that may do other things
  }
});
