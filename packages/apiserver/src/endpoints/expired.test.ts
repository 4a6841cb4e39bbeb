import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";

const maps = "/api/v1/namespaces/default/configmaps";

/** A server with ConfigMaps a to e whose past is gone: time has passed, and the store has been compacted. */
async function startOld() {
  const clock = createVirtualClock();
  const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  const server = await startApiServer({ runtime: testRuntime(1, { clock }), store });
  const send = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
  const askText = async (method: string, path: string, body?: unknown) => {
    const answer = await send({
      method,
      path,
      headers: {},
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
    return { status: answer.status, text };
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await askText(method, path, body);
    return { status, body: JSON.parse(text) as Answered };
  };
  const versions = new Map<string, string>();
  for (const name of ["a", "b", "c", "d", "e"])
    versions.set(name, (await ask("POST", maps, { metadata: { name } })).body.metadata.resourceVersion ?? "");
  const page = await ask("GET", `${maps}?limit=2`);
  const age = async (minutes = 10) => {
    await clock.advance(minutes * 60_000);
    await ask("DELETE", `${maps}/c`);
    await store.compact((await store.status()).revision);
  };
  return { clock, ask, askText, age, versions, page, stop: () => server.stop() };
}

interface Answered {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly type?: string;
  readonly object?: Answered;
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly name?: string };
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
}

const names = ({ items }: Answered): string[] => (items ?? []).map(({ metadata }) => metadata.name);

describe("what the server no longer knows", () => {
  it("a page of a state that is gone: 410 with a token that goes on with what is there now", async () => {
    const { ask, age, page, stop } = await startOld();
    await age();
    const expired = await ask("GET", `${maps}?limit=2&continue=${page.body.metadata.continue}`);
    expect(expired.body).toMatchObject({ code: 410, reason: "Expired" });
    expect(expired.body.message).toMatch(/^The provided continue parameter is too old/);
    const rest = await ask("GET", `${maps}?limit=2&continue=${expired.body.metadata.continue}`);
    expect(names(rest.body)).toEqual(["d", "e"]);
    await stop();
  });

  it("a page of a state that is gone, though it was read again and again: 410 after five minutes", async () => {
    const { ask, age, page, stop } = await startOld();
    const next = `${maps}?limit=2&continue=${page.body.metadata.continue}`;
    await age(2);
    expect(names((await ask("GET", next)).body)).toEqual(["c", "d"]);
    await age(2);
    expect(names((await ask("GET", next)).body)).toEqual(["c", "d"]);
    await age(2);
    expect((await ask("GET", next)).body).toMatchObject({ code: 410, reason: "Expired" });
    await stop();
  });

  it("a page of a state that is pinned: as if nothing had happened", async () => {
    const { ask, page, stop } = await startOld();
    await ask("DELETE", `${maps}/c`);
    const next = await ask("GET", `${maps}?limit=2&continue=${page.body.metadata.continue}`);
    expect(names(next.body)).toEqual(["c", "d"]);
    await stop();
  });

  it("a list of an exact revision that is gone: 410", async () => {
    const { ask, age, versions, stop } = await startOld();
    await age();
    const expired = await ask("GET", `${maps}?resourceVersion=${versions.get("a")}&resourceVersionMatch=Exact`);
    expect(expired).toMatchObject({
      status: 410,
      body: { reason: "Expired", message: "The resourceVersion for the provided list is too old." },
    });
    await stop();
  });

  it("a watch from the first revision of a quiet resource: what happened since, however long ago", async () => {
    const { clock, ask, askText, stop } = await startOld();
    await clock.advance(10 * 60_000);
    await ask("DELETE", `${maps}/c`);
    const { text } = await askText("GET", `${maps}?watch=true&resourceVersion=1&timeoutSeconds=1`);
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; object: { metadata: { name: string } } });
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(
      expect.arrayContaining(["ADDED a", "ADDED b", "ADDED c", "ADDED d", "ADDED e", "DELETED c"]),
    );
    await stop();
  });

  it("a watch from a revision that is gone: a stream that sends 410 and ends", async () => {
    const { ask, age, versions, stop } = await startOld();
    await age();
    for (let at = 0; at < 100; at++) await ask("POST", maps, { metadata: { name: `late-${at}` } });
    const { status, body } = await ask("GET", `${maps}?watch=true&resourceVersion=${versions.get("a")}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect(body.object?.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
    await stop();
  });
});
