import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { connectWebSocket } from "@coxswain/wire/websocket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../registry/streams/test-cluster.test.support.js";

const maps = "/api/v1/namespaces/default/configmaps";
const settings = { clock: systemClock, random: systemRandom };

describe("a watch over a WebSocket", { timeout: 30_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startTestCluster();
  });
  afterAll(() => cluster.stop());

  /** Opens one and gathers its messages; `next` waits for the one after those already taken. */
  async function open(
    query: string,
    options: { headers?: Record<string, string>; protocols?: readonly string[] } = {},
  ) {
    const { headers = { Origin: "https://page.example" }, protocols = [] } = options;
    const websocket = await connectWebSocket({
      url: `${cluster.url}${maps}?watch=true&${query}`,
      headers,
      protocols,
      tls: cluster.tls,
      ...settings,
    });
    const messages: (Uint8Array | string)[] = [];
    let wake = (): void => {};
    const closed = new Promise<number>((resolve) =>
      websocket.listen({
        onMessage(data) {
          messages.push(data);
          wake();
        },
        onClose: ({ code }) => resolve(code),
      }),
    );
    const next = async (): Promise<Uint8Array | string> => {
      while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return messages.shift() as Uint8Array | string;
    };
    return { websocket, next, closed };
  }

  const create = (name: string): Promise<unknown> =>
    cluster.create(maps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  const nameIn = (message: Uint8Array | string): [string, string] => {
    const event = JSON.parse(message as string) as { type: string; object: { metadata: { name: string } } };
    return [event.type, event.object.metadata.name];
  };

  it("sends each event as a message of text", async () => {
    const { next, websocket } = await open("fieldSelector=metadata.name!=kube-root-ca.crt");
    await Promise.all([create("one"), create("two"), create("three")]);
    const seen = [nameIn(await next()), nameIn(await next()), nameIn(await next())];
    expect(seen.sort()).toEqual([
      ["ADDED", "one"],
      ["ADDED", "three"],
      ["ADDED", "two"],
    ]);
    websocket.close();
  });

  it("sends protobuf as bytes, without the length that streams begin with", async () => {
    const { next, websocket } = await open("", {
      headers: { Origin: "x", Accept: "application/vnd.kubernetes.protobuf;stream=watch" },
    });
    await create("binary");
    const message = (await next()) as Uint8Array;
    expect(Buffer.from(message.subarray(0, 2)).toString("latin1")).toBe("\n\u0005"); // field 1, five bytes: ADDED
    websocket.close();
  });

  it("ends when its time is over", async () => {
    const { closed } = await open("timeoutSeconds=1");
    expect(await closed).toBe(1000);
  });

  it("begins behind the revision that it names", async () => {
    const { next, websocket } = await open("resourceVersion=1");
    expect(nameIn(await next())[0]).toBe("ADDED");
    websocket.close();
  });

  it("takes the one sub-protocol that is offered", async () => {
    const { websocket } = await open("", { protocols: ["base64.binary.k8s.io"] });
    expect(websocket.protocol).toBe("base64.binary.k8s.io");
    websocket.close();
  });

  it.each([
    ["without an origin is forbidden", { headers: {} }, 403],
    ["with several sub-protocols is refused", { protocols: ["a", "b"] }, 400],
  ])("%s", async (_, options, code) => {
    await expect(open("", options)).rejects.toMatchObject({ status: code });
  });

  it("of what does not exist is an ordinary refusal", async () => {
    await expect(
      connectWebSocket({
        url: `${cluster.url}/api/v1/nothings?watch=true`,
        headers: { Origin: "x" },
        tls: cluster.tls,
        ...settings,
      }),
    ).rejects.toMatchObject({ status: 404 });
  });
});
