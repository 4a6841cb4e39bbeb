import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { choosePort } from "./choose-port.js";

describe("the port of a cluster", () => {
  const host = "127.0.0.1";
  it("is the one that was asked for, taken or not", async () =>
    expect(await choosePort({ asked: 1, last: 2, host })).toBe(1));

  it("is not its last one where another program listens there", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, host, resolve));
    const { port } = other.address() as AddressInfo;
    expect(await choosePort({ asked: undefined, last: port, host })).not.toBe(port);
    await new Promise((resolve) => other.close(resolve));
    expect(await choosePort({ asked: undefined, last: port, host })).toBe(port);
  });
});
