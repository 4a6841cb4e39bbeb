import { describe, expect, it } from "vitest";
import type { Case } from "./case.js";
import type { PlayAnswer, PlayRequest, Requester } from "./player.js";
import { playCase } from "./player.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const reply = (status: number, ...chunks: string[]): PlayAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: (async function* () {
    for (const chunk of chunks) yield bytes(chunk);
  })(),
});

/** A server that answers from a function and remembers what it was asked. */
function scripted(answer: (request: PlayRequest) => PlayAnswer): { request: Requester; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    request: async (request) => {
      asked.push(`${request.method} ${request.path} ${new TextDecoder().decode(request.body)}`.trim());
      return answer(request);
    },
  };
}

const play = (steps: Case["steps"], request: Requester) =>
  playCase({ name: "some-case", steps }, request, { watchTimeoutMs: 50 });

describe("playCase", () => {
  it("makes the namespaces that are mentioned, and uses earlier answers in later steps", async () => {
    const { request, asked } = scripted(() => reply(201, '{"metadata":{"uid":"u1"}}'));
    await play(
      [
        { name: "create", method: "POST", path: "/api/v1/namespaces/${ns}/pods", body: { metadata: { name: "a" } } },
        { name: "delete", method: "DELETE", path: "/x", body: { preconditions: { uid: "${create.metadata.uid}" } } },
      ],
      request,
    );
    expect(asked).toEqual([
      'POST /api/v1/namespaces {"metadata":{"name":"some-case"}}',
      'POST /api/v1/namespaces/some-case/pods {"metadata":{"name":"a"}}',
      'DELETE /x {"preconditions":{"uid":"u1"}}',
    ]);
  });

  it("sends a body that is a string as it stands, and keeps an answer that is not JSON as text", async () => {
    const { request, asked } = scripted(() => reply(404, "404 page ", "not found\n"));
    const answers = await play([{ name: "bad", method: "POST", path: "/x", body: '{"a":' }], request);
    expect(asked).toEqual(['POST /x {"a":']);
    expect(answers).toEqual([
      { step: "bad", status: 404, headers: { "content-type": "application/json" }, body: "404 page not found\n" },
    ]);
  });

  it("gathers the events of a watch while later steps go on, and aborts it when it has them", async () => {
    let wrote: () => void = () => {};
    const written = new Promise<void>((resolve) => (wrote = resolve));
    let signal: AbortSignal | undefined;
    const { request } = scripted((asked) => {
      if (asked.method === "POST") {
        wrote();
        return reply(201, "{}");
      }
      signal = asked.signal;
      const body = (async function* () {
        yield bytes('{"type":"ADDED"}\n{"type":');
        await written;
        yield bytes('"MODIFIED"}\n{"type":"EXTRA"}\n');
      })();
      return { status: 200, headers: {}, body };
    });
    const answers = await play(
      [
        { name: "watch", method: "GET", path: "/x?watch=1", watch: { events: 2 } },
        { name: "write", method: "POST", path: "/x", body: {}, quiet: true },
      ],
      request,
    );
    expect(answers[0]?.events).toEqual([{ type: "ADDED" }, { type: "MODIFIED" }]);
    expect(signal?.aborted).toBe(true);
  });

  it("answers the events that came when the others never do", async () => {
    const { request } = scripted(({ signal }) => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield bytes('{"type":"ADDED"}\n');
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      })(),
    }));
    const [answer] = await play([{ name: "watch", method: "GET", path: "/x", watch: { events: 2 } }], request);
    expect(answer?.events).toEqual([{ type: "ADDED" }]);
  });

  it("keeps the body of a watch that was refused", async () => {
    const { request } = scripted(() => reply(410, '{"reason":"Expired"}'));
    const [answer] = await play([{ name: "watch", method: "GET", path: "/x", watch: { events: 2 } }], request);
    expect(answer).toMatchObject({ status: 410, body: { reason: "Expired" } });
  });

  it("names the case when a reference leads nowhere", async () => {
    const { request } = scripted(() => reply(200, "{}"));
    await expect(play([{ name: "a", method: "GET", path: "/${b.metadata.name}" }], request)).rejects.toThrow(
      /some-case.*b\.metadata\.name/,
    );
  });
});
