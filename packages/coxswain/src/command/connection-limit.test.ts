import { once } from "node:events";
import { connect } from "node:net";
import { listen } from "@coxswain/apiserver";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { connectionLimit } from "./connection-limit.js";

describe("connections at the limit of open files", () => {
  it("are refused beyond it, and logged once in a minute with how many there were", () => {
    let now = 0;
    const lines: unknown[] = [];
    const log = { warn: (_: string, fields?: object) => void lines.push(fields) };
    const { maxConnections, onRefused } = connectionLimit({ clock: { monotonic: () => now }, log }, { limit: 1024 });
    expect(maxConnections).toBe(896);
    for (let time = 0; time < 100; time++) onRefused();
    now = 60_000;
    onRefused();
    expect(lines).toEqual([
      { limit: 1024, refused: 1 },
      { limit: 1024, refused: 100 },
    ]);
  });

  it("are half as many where each takes two files, as those of a load balancer do", () => {
    const deps = { clock: { monotonic: () => 0 }, log: { warn: () => {} } };
    expect(connectionLimit(deps, { limit: 1024, filesEach: 2 }).maxConnections).toBe(448);
  });

  it("a listener closes the connection that is one too many, and reports it", async () => {
    const validity = { notBefore: systemClock.now() - 1_000, notAfter: systemClock.now() + 3_600_000 };
    const ca = createAuthority({ ...validity, subject: { commonName: "ca" }, random: systemRandom });
    const leaf = { ...validity, subject: { commonName: "server" }, random: systemRandom, hosts: ["127.0.0.1"] };
    const { pem: certificate, privateKey } = createServerIdentity({ ...ca }, leaf);
    let refused = 0;
    const listener = await listen(
      {
        port: 0,
        certificate,
        key: encodePrivateKey(privateKey),
        clientAuthority: ca.pem,
        runtime: systemRuntime(),
        maxConnections: 1,
        onRefused: () => void (refused += 1),
      },
      () => undefined,
    );
    const first = connect(listener.port, "127.0.0.1");
    await once(first, "connect");
    const second = connect(listener.port, "127.0.0.1");
    await once(second.resume(), "close");
    expect(refused).toBe(1);
    first.destroy();
    await listener.close();
  });
});
