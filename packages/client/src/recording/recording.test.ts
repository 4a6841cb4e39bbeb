import { describe, expect, it } from "vitest";
import { createClient } from "../index.js";
import { type Transport, TransportError } from "../transport/index.js";
import type { WatchEvent } from "../watch/index.js";
import { bytesResponse } from "./bytes-response.js";
import { recordTransport, replayTransport } from "./index.js";

const gone = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404, message: "gone" };

/** A server of its own: counts, refuses, and watches. */
function server(): Transport {
  let count = 0;
  return {
    async send(request) {
      if (request.path.endsWith("/lost")) throw new TransportError("connect", "nobody there");
      const status = request.path.endsWith("/missing") ? 404 : 200;
      const body = status === 404 ? gone : { kind: "ConfigMap", metadata: { resourceVersion: String(++count) } };
      return bytesResponse(status, { warning: '299 - "careful"' }, new TextEncoder().encode(JSON.stringify(body)));
    },
    async watch() {
      const events: WatchEvent[] = [
        { type: "ADDED", object: { metadata: { name: "a" } } },
        { type: "BOOKMARK", resourceVersion: "9", initialEventsEnd: true },
      ];
      return {
        stop() {},
        async *[Symbol.asyncIterator]() {
          yield events;
        },
      };
    },
    close: () => Promise.resolve(),
  };
}

async function story(transport: Transport): Promise<unknown[]> {
  const warnings: string[] = [];
  const client = createClient({ transport, onWarning: (text) => warnings.push(text) });
  const maps = client.core.v1.configmaps("default");
  const seen: unknown[] = [await maps.get("a"), await maps.get("a")];
  for (const name of ["missing", "lost"])
    seen.push(
      await maps.get(name).catch((error: Error & { kind?: string }) => [error.name, error.message, error.kind]),
    );
  seen.push(await maps.create({ metadata: { name: "b" } }));
  for await (const batch of await maps.watch({ sendInitialEvents: true })) seen.push(...batch);
  return [...seen, warnings];
}

describe("a recording", () => {
  it("answers as the server did, after a journey through a file", async () => {
    const recorder = recordTransport(server());
    const live = await story(recorder.transport);
    const kept = JSON.parse(JSON.stringify(recorder.recording()));
    const replay = replayTransport(kept);
    expect(await story(replay)).toEqual(live);
    expect(replay.unused).toBe(0);
  });
  it("has no answer to a request that was not recorded", () =>
    expect(replayTransport({ exchanges: [] }).send({ method: "GET", path: "/api" })).rejects.toThrow(
      "the recording has no answer (left) to GET /api",
    ));
});
