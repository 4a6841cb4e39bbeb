import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createAuthority } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../metrics/index.js";
import { watchExpiry } from "./watch-expiry.js";

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const authority = (commonName: string, days: number): string =>
  createAuthority({
    subject: { commonName },
    notBefore: start - 400 * day,
    notAfter: start + days * day,
    random: createSeededRandom(commonName),
  }).pem;

describe("certificates that expire", () => {
  const lines: string[] = [];
  const watch = () => {
    lines.length = 0;
    const clock = createVirtualClock({ startMs: start });
    const metrics = createMetrics();
    const record = (level: string) => (message: string, fields?: object) => {
      const { use, subject, notAfter } = fields as Record<string, string>;
      lines.push(`${level} day ${Math.floor((clock.now() - start) / day)}: ${message}: ${use} ${subject} ${notAfter}`);
    };
    return {
      clock,
      metrics,
      watching: watchExpiry({ clock, metrics, log: { warn: record("warn"), error: record("error") } }),
    };
  };

  it("are logged a month before and when it has happened, once each", async () => {
    const { clock, watching } = watch();
    watching.set({ serving: authority("server", 100), "client-ca": authority("clients", 400) });
    await clock.advance(200 * day);
    expect(lines).toEqual([
      "warn day 70: a certificate of this server expires soon: serving server 2026-04-11T00:00:00.000Z",
      "error day 100: a certificate of this server has expired: serving server 2026-04-11T00:00:00.000Z",
    ]);
    watching.stop();
    await clock.advance(300 * day);
    expect(lines).toHaveLength(2);
  });

  const rows = [
    { name: "one that has expired already is logged at once", days: -1, logged: ["error day 0"] },
    { name: "one that ends within the month is logged at once", days: 29, logged: ["warn day 0"] },
    { name: "one that is good for longer is not logged", days: 31, logged: [] },
  ];
  for (const { name, days, logged } of rows)
    it(name, () => {
      const { watching } = watch();
      watching.set({ serving: authority("server", days) });
      expect(lines.map((line) => line.slice(0, line.indexOf(":")))).toEqual(logged);
      watching.stop();
    });

  it("are not logged again when others are replaced, nor after they are replaced themselves", async () => {
    const { clock, watching } = watch();
    const old = authority("server", 20);
    watching.set({ serving: old, "client-ca": authority("clients", 400) });
    watching.set({ serving: old, "client-ca": authority("others", 400) });
    expect(lines).toHaveLength(1);
    watching.set({ serving: authority("server", 300) });
    await clock.advance(100 * day);
    expect(lines).toHaveLength(1);
    watching.stop();
  });

  it("have their end as a metric, each once", () => {
    const { metrics, watching } = watch();
    const twice = authority("clients", 31);
    watching.set({ serving: authority("server", 100), "client-ca": `${twice}${twice}` });
    const values = [
      ...metrics.text().matchAll(/^coxswain_certificate_expiration\w+\{.*subject="(\w+)",use="([\w-]+)"\} (.*)$/gm),
    ];
    expect(values.map(([, subject, use, value]) => [subject, use, Number(value)]).sort()).toEqual([
      ["clients", "client-ca", (start + 31 * day) / 1000],
      ["server", "serving", (start + 100 * day) / 1000],
    ]);
    watching.stop();
  });
});
