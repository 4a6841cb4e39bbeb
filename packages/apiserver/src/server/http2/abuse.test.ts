import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { asking, headers, RawConnection } from "./abuse-client.test.support.js";
import { knownGaps } from "./abuse-gaps.test.support.js";
import { rows } from "./abuse-rows.test.support.js";
import { type Subject, startSubject, testsUpstream } from "./abuse-subject.test.support.js";

/** A gap may well be that nothing comes: it is not waited for. */
const impatience = (ms: number): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve("nothing yet"), ms));

const headersOf = (name: string): string => `the headers of the answer to ${name}`;
const formatted = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join("\n");
const isGap = (name: string): boolean => !testsUpstream && Object.hasOwn(knownGaps, name);

async function check(name: string, want: string, body: () => Promise<string>): Promise<void> {
  if (!isGap(name)) expect(await body()).toBe(want);
  else
    expect(await Promise.race([body(), impatience(200)]), `now passes, delete the gap: ${knownGaps[name]}`).not.toBe(
      want,
    );
}

describe("HTTP/2, frame by frame, answers as kube-apiserver does", () => {
  let subject: Subject;
  let connection: RawConnection | undefined;
  beforeAll(async () => {
    subject = await startSubject();
  });
  afterEach(() => connection?.socket.destroy());

  /** Another client, whatever one does to its own connection. */
  const answersOthers = async (): Promise<string> => {
    const other = await RawConnection.open(subject.admin);
    other.send(headers(1, asking("/api/v1/namespaces/default")));
    const outcome = await other.outcome(1);
    other.socket.destroy();
    return outcome;
  };

  for (const { name, frames, stream = 1, want } of rows) {
    it(name, async () => {
      const ours = (connection = await RawConnection.open(subject.admin));
      await check(name, want, () => {
        ours.send(...frames);
        return ours.settled(stream, { awaitsReset: want.includes("then reset") });
      });
      expect(await answersOthers()).toBe("200");
    });
  }

  for (const { name, frames, head = {} } of rows.filter((row) => row.head)) {
    const title = headersOf(name);
    it(title, () =>
      check(title, formatted({ ...head, date: "sent" }), async () => {
        connection = await RawConnection.open(subject.admin);
        connection.send(...frames);
        await connection.outcome(1);
        const got = connection.answer(1).headers;
        return formatted({ ...got, ...(got["date"] ? { date: "sent" } : {}) });
      }),
    );
  }

  const last = "afterwards nothing is under way, and the server stops";
  it(last, () => check(last, "stopped", () => subject.stop().then(() => "stopped")));

  it("has a row for every known gap", () => {
    const names = [last, ...rows.flatMap(({ name }) => [name, headersOf(name)])];
    expect(Object.keys(knownGaps).filter((name) => !names.includes(name))).toEqual([]);
  });
});
