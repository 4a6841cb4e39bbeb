import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { FlagError } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { afterEach, describe, expect, it } from "vitest";
import { addressFrom } from "./balance-command.js";
import { type BalanceOptions, type Balancer, balanceConnections, inOrder } from "./balance-connections.js";

describe("the order in which servers are tried", () => {
  const server = (name: string, connections: number, leftOutUntil = 0) => ({ name, connections, leftOutUntil });
  const cases = [
    { name: "the one with the fewest connections first", servers: [server("a", 2), server("b", 1)], order: "ba" },
    { name: "equal ones as they were named", servers: [server("a", 0), server("b", 0)], order: "ab" },
    { name: "one that was unreachable last", servers: [server("a", 0, 11), server("b", 9)], order: "ba" },
    {
      name: "one that was unreachable long ago as the others",
      servers: [server("a", 0, 9), server("b", 9)],
      order: "ab",
    },
  ];
  for (const { name, servers, order } of cases)
    it(name, () =>
      expect(
        inOrder(servers, 10)
          .map((each) => each.name)
          .join(""),
      ).toBe(order),
    );
});

describe("a load balancer", () => {
  /** Nobody listens there. A port that was closed a moment ago may be another server's by now. */
  const gone = { host: "127.0.0.1", port: 1 };
  const opened: { close(): unknown }[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
  });
  /** Answers its name to whatever is sent. */
  async function startNamed(name: string): Promise<{ host: string; port: number }> {
    const server = createServer((socket) => socket.on("data", () => socket.write(name)).on("error", () => {}));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.push(server);
    return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
  }
  async function ask(port: number): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    opened.push({ close: () => socket.destroy() });
    socket.on("error", () => {}); // "close" follows
    socket.write("who?");
    return new Promise((resolve) => {
      socket.once("data", (data) => resolve(String(data)));
      socket.once("close", () => resolve("closed"));
    });
  }
  const start = async (
    servers: { host: string; port: number }[],
    unreachable: number[] = [],
    limit: Pick<BalanceOptions, "maxConnections" | "onRefused"> = {},
  ): Promise<Balancer> => {
    const balancer = await balanceConnections({
      listen: { host: "127.0.0.1", port: 0 },
      servers,
      clock: systemClock,
      onUnreachable: ({ port }) => unreachable.push(port),
      ...limit,
    });
    opened.push({ close: () => balancer.stop() });
    return balancer;
  };

  it("spreads connections over its servers", async () => {
    const { port } = await start([await startNamed("a"), await startNamed("b")]);
    expect(await ask(port)).toBe("a");
    expect(await ask(port)).toBe("b");
    expect(await ask(port)).toBe("a");
  });

  it("passes a server over that is gone, and reports it once for a while", async () => {
    const unreachable: number[] = [];
    const { port } = await start([gone, await startNamed("b")], unreachable);
    expect(await ask(port)).toBe("b");
    expect(await ask(port)).toBe("b");
    expect(unreachable).toEqual([gone.port]);
  });

  it("reports a flood of connections that no server takes as one line a server", async () => {
    const unreachable: number[] = [];
    const { port } = await start([gone], unreachable);
    expect(await Promise.all(Array.from({ length: 50 }, () => ask(port)))).toEqual(Array(50).fill("closed"));
    expect(unreachable).toEqual([gone.port]);
  });

  it("closes the connection that is one too many, and serves the others", async () => {
    let refused = 0;
    const { port } = await start([await startNamed("a")], [], { maxConnections: 1, onRefused: () => void refused++ });
    expect(await ask(port)).toBe("a");
    expect(await ask(port)).toBe("closed");
    expect(refused).toBe(1);
  });

  it("closes connections that no server takes, and those that are open when it stops", async () => {
    expect(await ask((await start([gone])).port)).toBe("closed");
    const balancer = await start([await startNamed("a")]);
    const socket = connect(balancer.port, "127.0.0.1").on("error", () => {});
    socket.write("who?");
    await new Promise((resolve) => socket.once("data", resolve));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await balancer.stop();
    await closed;
  });
});

describe("an address", () => {
  for (const [text, address] of [
    ["10.0.0.1:6443", { host: "10.0.0.1", port: 6443 }],
    ["[::1]:6443", { host: "::1", port: 6443 }],
  ] as const)
    it(`may be ${text}`, () => expect(addressFrom("servers", text)).toEqual(address));
  for (const text of ["10.0.0.1", "::1:6443", "a:99999", "https://a:6443"])
    it(`may not be ${text}`, () => expect(() => addressFrom("servers", text)).toThrow(FlagError));
});
