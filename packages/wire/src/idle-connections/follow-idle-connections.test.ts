import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { followIdleConnections } from "./follow-idle-connections.js";

const open = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((asked, answer) => void asked.resume().once("end", () => answer.end("x")));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });

async function restart(server: Server): Promise<Server> {
  const { port } = server.address() as AddressInfo;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  return open(port);
}

const post = (agent: Agent, port: number): Promise<"answered" | "lost"> =>
  new Promise((resolve) => {
    const sent = request({ agent, port, host: "127.0.0.1", method: "POST" }, (answer) =>
      answer.resume().once("end", () => resolve("answered")),
    );
    sent.once("error", () => resolve("lost"));
    sent.end("body");
  });

it("requests after a restart go over new connections", async () => {
  const agent = new Agent({ keepAlive: true });
  const noticed = followIdleConnections(agent);
  let server = await open(0);
  const { port } = server.address() as AddressInfo;
  for (let round = 0; round < 20; round++) {
    await noticed();
    expect(await post(agent, port)).toBe("answered"); // without `noticed` all but the first are lost
    server = await restart(server);
  }
  agent.destroy();
  server.close();
});
