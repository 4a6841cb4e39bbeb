import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { createRestClient } from "@coxswain/client";
import { createSocketTransport } from "@coxswain/client/socket";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { connectWebSocket } from "@coxswain/wire/websocket";
import { describe, expect, it } from "vitest";
import { startCluster } from "./start-cluster.js";

const files = fileURLToPath(new URL("../../../console/dist/files", import.meta.url));

/** What the page of a link does, without the page. */
async function openPage(link: string) {
  const { origin, host, port, hash } = new URL(link);
  const headers = { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const body = JSON.stringify({ code: hash.slice("#c=".length) });
  const { key } = (await (await fetch(`${origin}/session`, { method: "POST", headers, body })).json()) as {
    key: string;
  };
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const websocket = await connectWebSocket({
    url: `http://${host}/relay`,
    socket,
    headers: { Origin: origin },
    protocols: ["coxswain.console.v1"],
    random: systemRandom,
    clock: systemClock,
  });
  const transport = createSocketTransport({
    connect: async () => ({
      send: (message) => void websocket.send(message),
      close: () => websocket.close(),
      listen: ({ onMessage, onClose }) =>
        websocket.listen({
          onMessage: (data, isText) => !isText && onMessage(data),
          onClose: ({ reason }) => onClose(reason),
        }),
    }),
  });
  websocket.send(key);
  return { rest: createRestClient({ transport }), html: await (await fetch(`${origin}/`)).text() };
}

describe.skipIf(!existsSync(files))("the console of a test's cluster", () => {
  it("shows the cluster, and time passes when its page asks for it", async () => {
    const cluster = await startCluster({ seed: 1, nodes: 0, controllers: ["ttl-after-finished-controller"] });
    try {
      const { rest, html } = await openPage(await cluster.console());
      expect(html).toContain("page.js");
      await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "seen" } });
      const path = "/api/v1/namespaces/default/configmaps/seen";
      expect(await rest.send({ method: "GET", path })).toMatchObject({ metadata: { name: "seen" } });
      const before = cluster.clock.now();
      expect(await rest.send({ method: "POST", path: "/console/clock/0" })).toEqual({ now: before });
      expect(await rest.send({ method: "POST", path: "/console/clock/60000" })).toEqual({ now: before + 60_000 });
      expect(cluster.clock.now()).toBe(before + 60_000);
    } finally {
      await cluster.stop({ isReported: true });
    }
  });
});
