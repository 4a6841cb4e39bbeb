import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { choosePort } from "./choose-port.js";

describe("the port of a cluster", () => {
  const host = "127.0.0.1";
  it("is the one that was asked for; where another program has that, the error names what to do", async () => {
    expect(await choosePort({ asked: 0, last: 2, host })).toBe(0);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, host, resolve));
    const { port } = other.address() as AddressInfo;
    await expect(choosePort({ asked: port, last: undefined, host })).rejects.toThrow(
      /Choose another one by --secure-port/,
    );
    await new Promise((resolve) => other.close(resolve));
    expect(await choosePort({ asked: port, last: undefined, host })).toBe(port);
  });

  it("is not its last one where another program listens there", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, host, resolve));
    const { port } = other.address() as AddressInfo;
    expect(await choosePort({ asked: undefined, last: port, host })).not.toBe(port);
    await new Promise((resolve) => other.close(resolve));
    expect(await choosePort({ asked: undefined, last: port, host })).toBe(port);
  });
});
