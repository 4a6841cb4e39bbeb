import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { asking, headers, RawConnection } from "./http2-abuse-client.test.support.js";
import { knownGaps } from "./http2-abuse-gaps.test.support.js";
import { rows } from "./http2-abuse-rows.test.support.js";
import { judgesUpstream, startSubject, type Subject } from "./http2-abuse-subject.test.support.js";

/** A gap may well be that nothing comes: it is not waited for. */
const impatience = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(() => resolve("nothing yet"), ms));

async function judge(name: string, want: string, body: () => Promise<string>): Promise<void> {
  const gap = judgesUpstream ? undefined : knownGaps[name];
  const got = gap === undefined ? await body() : await Promise.race([body(), impatience(200)]);
  if (gap === undefined) expect(got).toBe(want);
  else expect(got, `now passes, delete the gap: ${gap}`).not.toBe(want);
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
      await judge(name, want, () => {
        ours.send(...frames);
        return ours.settled(stream);
      });
      expect(await answersOthers()).toBe("200");
    });
  }

  const last = "afterwards nothing is under way, and the server stops";
  it(last, () => judge(last, "stopped", () => subject.stop().then(() => "stopped")));

  it("has a row for every known gap", () => expect(Object.keys(knownGaps).filter((name) => name !== last && !rows.some((row) => row.name === name))).toEqual([]));
});
