import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { systemClock } from "@coxswain/runtime/clock";
import { afterEach, describe, expect, it } from "vitest";
import { createNetwork } from "../../network/network.js";
import { type BackendConnections, createBackendConnections } from "./backend-connections.js";
import { type BackendCall, callBackend } from "./call-backend.js";
import { trustingTls } from "./location.js";

describe("connections to other servers", () => {
  let server: Server | undefined;
  const connections: BackendConnections = createBackendConnections();
  afterEach(() => {
    connections.dropIdle();
    server?.close();
  });

  /** Answers with how often the connection was used. `onRequest` may answer otherwise, and then returns true. */
  async function start(
    onRequest: (uses: number, ...asked: Parameters<RequestListener>) => boolean = () => false,
  ): Promise<{ call: (more?: Partial<BackendCall>) => Promise<string>; opened: () => number }> {
    let opened = 0;
    const uses = new WeakMap<object, number>();
    const started = createServer((request, response) => {
      const used = (uses.get(request.socket) ?? 0) + 1;
      uses.set(request.socket, used);
      request.resume();
      if (!onRequest(used, request, response)) response.end(String(used));
    });
    server = started;
    started.on("connection", () => void (opened += 1));
    await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
    const location = {
      scheme: "http",
      hostname: "127.0.0.1",
      port: String((started.address() as AddressInfo).port),
      path: "/",
      query: "",
      tls: trustingTls,
    } as const;
    return {
      opened: () => opened,
      async call(more) {
        const { response } = await callBackend({
          location,
          method: "GET",
          headers: [],
          signal: new AbortController().signal,
          clock: systemClock,
          connections,
          network: createNetwork({ simulated: undefined, serviceCidrs: () => [] }),
          ...more,
        });
        const received = await text(response);
        await new Promise((resolve) => setImmediate(resolve)); // a turn later the connection is back
        return received;
      },
    };
  }

  it("wait for the next request", async () => {
    const { call, opened } = await start();
    expect([await call(), await call(), await call(), opened()]).toEqual(["1", "2", "3", 1]);
  });
  it("do not wait where the other side wants none", async () => {
    const { call, opened } = await start((_uses, _request, response) => !response.setHeader("connection", "close"));
    expect([await call(), await call(), opened()]).toEqual(["1", "1", 2]);
  });
  it("that were ended while they waited are made anew", async () => {
    const { call, opened } = await start((uses, request) => uses > 1 && Boolean(request.socket.destroy()));
    expect([await call(), await call(), opened()]).toEqual(["1", "1", 2]);
  });
  it("that end a first request are an error", async () => {
    const { call } = await start((_uses, request) => Boolean(request.socket.destroy()));
    await expect(call()).rejects.toThrow("EOF");
  });
  it("are not shared by requests with a body, which cannot be sent twice", async () => {
    const { call, opened } = await start();
    await call();
    expect([await call({ method: "POST", body: Readable.from(["{}"]) }), opened()]).toEqual(["1", 2]);
  });
  it("are dropped when credentials change", async () => {
    const { call, opened } = await start();
    await call();
    connections.dropIdle();
    expect([await call(), opened()]).toEqual(["1", 2]);
  });
});
