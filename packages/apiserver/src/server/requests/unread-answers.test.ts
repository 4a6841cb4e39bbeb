import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";
import { UnreadAnswers } from "./unread-answers.js";

const mib = 1 << 20;

function setUp() {
  const clock = createVirtualClock();
  const cut: string[] = [];
  const answers = new UnreadAnswers({
    ioClock: clock,
    onCut: ({ user }) => cut.push(user.name),
    totalBytes: 8 * mib,
    userBytes: 6 * mib,
  });
  const begin = (user: string, { unread = 0, verb = "list" } = {}) => {
    const state = { unread, isHeld: true, aborted: false };
    const context = {
      user: { name: user },
      info: { verb },
      seats: {
        get isHeld() {
          return state.isHeld;
        },
        release: () => (state.isHeld = false),
      },
      expire: () => {},
    } as unknown as RequestContext;
    const sink = {
      get unreadBytes() {
        return state.unread;
      },
      abort: () => (state.aborted = true),
    } as unknown as ResponseSink;
    return { state, stop: answers.follow(context, sink) };
  };
  return { clock, cut, answers, begin };
}

describe("an answer that its client does not read", () => {
  it("gives its seats back, and counts until it is over", async () => {
    const { clock, answers, begin } = setUp();
    const { state, stop } = begin("a");
    await clock.advance(250);
    expect([state.isHeld, answers.held], "it is read").toEqual([true, 0]);
    state.unread = 3 * mib;
    await clock.advance(100);
    expect([state.isHeld, answers.held]).toEqual([false, 3 * mib]);
    stop();
    expect(answers.held).toBe(0);
  });
  it("of a watch gives its seats back, and counts by the limit of watches instead", async () => {
    const { clock, answers, begin } = setUp();
    const { state } = begin("a", { verb: "watch", unread: mib });
    await clock.advance(100);
    expect([state.isHeld, answers.held]).toEqual([false, 0]);
  });
  it("is cut when its user has too many, the oldest first", async () => {
    const { clock, cut, begin } = setUp();
    const all = [];
    for (let at = 0; at < 4; at++) {
      all.push(begin("a", { unread: 2 * mib }));
      await clock.advance(100);
    }
    expect([cut, all.map(({ state }) => state.aborted)]).toEqual([["a"], [true, false, false, false]]);
  });
  it("is cut when there are too many of all users, of the one that has most", async () => {
    const { clock, cut, begin } = setUp();
    for (const user of ["a", "a", "a", "b", "c"]) {
      begin(user, { unread: 2 * mib });
      await clock.advance(100);
    }
    expect(cut).toEqual(["a"]);
  });
});
