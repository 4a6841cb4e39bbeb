import { describe, expect, it } from "vitest";
import { eventLoop, type Patron, Turns } from "./index.js";

/** Time passes only by serving. Unless it is `alone`, two users have been served just before. */
function createWorld(msEach: number, { alone = false } = {}) {
  let now = 0;
  const served: string[] = [];
  const later: (() => void)[] = [];
  const after: (() => void)[] = [];
  const turns = new Turns(
    { now: () => now, monotonic: () => now, setTimer: () => ({ cancel() {} }) },
    { nextTurn: (run) => void later.push(run), afterThis: (run) => void after.push(run) },
  );
  const drain = (): void => {
    for (let run = after.shift(); run; run = after.shift()) run();
  };
  const enlist = (patron: Patron): void => {
    turns.enlist(patron);
    drain();
  };
  const nextTurn = (): void => {
    for (const run of later.splice(0)) run();
    drain();
  };
  const patron = (name: string, pieces: number, rest: Partial<Patron> = {}): Patron => ({
    user: undefined,
    serve() {
      served.push(name);
      now += msEach;
      return --pieces > 0;
    },
    ...rest,
  });
  const pass = (ms: number): void => void (now += ms);
  if (!alone) {
    for (const user of ["one", "another"]) enlist({ user, serve: () => false });
    nextTurn();
  }
  return { turns, enlist, patron, served, nextTurn, pass, isIdle: () => later.length === 0 };
}

describe("turns", () => {
  it("serve at once who comes alone, and then rest", () => {
    const { enlist, patron, served, nextTurn, isIdle } = createWorld(0.0625);
    enlist(patron("a", 2));
    expect(served).toEqual(["a", "a"]);
    nextTurn();
    expect(isIdle()).toBe(true);
  });

  it("do no more in a turn than there is time for, and go on in the next", () => {
    const { enlist, patron, served, nextTurn } = createWorld(0.0625);
    enlist(patron("a", 5));
    expect(served.length).toBe(2);
    enlist(patron("b", 1));
    expect(served.length).toBe(2);
    nextTurn();
    expect(served.slice(2)).toEqual(["b", "a"]);
    nextTurn();
    expect(served.length).toBe(6);
  });

  it("let those who have much waiting take turns, and newcomers go first", () => {
    const { enlist, patron, served, nextTurn } = createWorld(1);
    for (const name of ["a", "b", "c"]) enlist(patron(name, 10));
    for (let turn = 0; turn < 4; turn++) nextTurn();
    enlist(patron("new", 2));
    for (let turn = 0; turn < 5; turn++) nextTurn();
    expect(served.join(" ")).toBe("a b c a b new c a b new");
  });

  it("are taken by users, however many connections each has", () => {
    const { enlist, patron, served, nextTurn } = createWorld(1);
    for (const name of ["a1", "a2", "a3", "a4"]) enlist(patron(name, 10, { user: "a" }));
    enlist(patron("b", 10, { user: "b" }));
    for (let turn = 0; turn < 8; turn++) nextTurn();
    expect(served.join(" ")).toBe("a1 b a1 b a2 b a3 b a4");
  });

  it("count a connection to its user as soon as that is known", () => {
    const { enlist, patron, served, nextTurn } = createWorld(1);
    const stranger = { ...patron("stranger", 10), user: undefined as string | undefined };
    enlist(patron("a", 10, { user: "a" }));
    enlist(stranger);
    stranger.user = "a";
    enlist(patron("b", 10, { user: "b" }));
    for (let turn = 0; turn < 6; turn++) nextTurn();
    expect(served.join(" ")).toBe("a stranger b a b stranger b");
  });

  it("go to newcomers, and to work that is under way, before work that is not", () => {
    const { enlist, patron, served, nextTurn } = createWorld(1);
    enlist(patron("flood", 10));
    enlist(patron("answers", 3, { isUnderWay: true }));
    for (const name of ["new", "newer", "newest"]) enlist(patron(name, 1));
    for (let turn = 0; turn < 8; turn++) nextTurn();
    expect(served.join(" ")).toBe("flood new newer answers newest answers answers flood flood");
  });

  it("go to others now and then, however many privileged there are", () => {
    const { enlist, patron, served, nextTurn } = createWorld(1);
    enlist(patron("flood", 10));
    enlist(patron("answers", 100, { isUnderWay: true }));
    for (let turn = 0; turn < 20; turn++) nextTurn();
    expect(served.flatMap((name, at) => (name === "flood" ? at : []))).toEqual([0, 9, 18]);
  });

  it("go to somebody who has just come even when it is the others' turn, but to one only", () => {
    const { enlist, patron, served, nextTurn } = createWorld(1);
    enlist(patron("flood", 10));
    enlist(patron("answers", 100, { isUnderWay: true }));
    for (let turn = 0; turn < 8; turn++) nextTurn();
    for (const name of ["new", "newer"]) enlist(patron(name, 1));
    for (let turn = 0; turn < 4; turn++) nextTurn();
    expect(served.slice(9).join(" ")).toBe("new flood newer answers");
  });

  it("come to who waits for one", async () => {
    const { turns, enlist, patron, served, nextTurn } = createWorld(1);
    enlist(patron("flood", 10));
    let hasCome = false;
    const coming = turns.come().then(() => (hasCome = true));
    await Promise.resolve();
    expect(hasCome).toBe(false);
    nextTurn();
    await coming;
    expect([hasCome, served.join(" ")]).toEqual([true, "flood flood"]);
  });

  it("are long, and for many pieces at once, while one user is alone", () => {
    const { enlist, patron, served, nextTurn, pass } = createWorld(0.0625, { alone: true });
    const mosts = new Set<number>();
    const pieces = patron("a", 1000, { user: "a" });
    const inTurn = (): [number, number[]] => {
      const before = served.length;
      mosts.clear();
      nextTurn();
      return [served.length - before, [...mosts]];
    };
    enlist({ user: "a", serve: (until, most) => (mosts.add(most), pieces.serve(until, most)) });
    expect(inTurn()).toEqual([32, [16]]);
    enlist({ user: "b", serve: () => false });
    nextTurn();
    expect(inTurn()).toEqual([2, [1]]);
    pass(10_000);
    nextTurn();
    expect(inTurn()).toEqual([32, [16]]);
  });

  it("are not for who has much under way already while there is a jam", () => {
    const { turns, enlist, patron, served, nextTurn, isIdle } = createWorld(1);
    turns.noteJam(true);
    for (let each = 0; each < 16; each++) turns.began("writer");
    enlist(patron("writer", 10, { user: "writer" }));
    enlist(patron("reader", 3, { user: "reader" }));
    for (let turn = 0; turn < 5; turn++) nextTurn();
    // Once as a newcomer.
    expect([served.join(" "), isIdle()]).toEqual(["writer reader reader reader", true]);
    turns.ended("writer");
    enlist(patron("reader", 1, { user: "reader" }));
    nextTurn();
    turns.began("writer");
    nextTurn();
    expect([served.slice(4).join(" "), isIdle()]).toEqual(["reader writer", true]);
    turns.noteJam(false);
    expect(served.slice(6)).toEqual(["writer"]);
  });

  it("are for everybody in a jam who is alone", () => {
    const { turns, enlist, patron, served, nextTurn } = createWorld(3, { alone: true });
    turns.noteJam(true);
    for (let each = 0; each < 16; each++) turns.began("writer");
    enlist(patron("writer", 10, { user: "writer" }));
    nextTurn();
    expect(served).toEqual(["writer", "writer"]);
  });

  it("are kept apart for thousands of users, and those of whom nothing is left are forgotten", () => {
    const { turns, enlist, patron, served, nextTurn } = createWorld(1);
    for (let each = 0; each < 16; each++) turns.began("writer");
    turns.noteJam(true);
    for (let user = 0; user < 5000; user++) {
      enlist(patron("", 1, { user: `user-${user}` }));
      nextTurn();
    }
    served.length = 0;
    enlist(patron("writer", 3, { user: "writer" }));
    for (let turn = 0; turn < 3; turn++) nextTurn();
    expect(served).toEqual(["writer"]);
  });

  it("serve a request however long it takes, but one only", () => {
    const { enlist, patron, served, nextTurn } = createWorld(500);
    enlist(patron("a", 2));
    enlist(patron("b", 1));
    expect(served).toEqual(["a"]);
    nextTurn();
    expect(served).toEqual(["a", "b"]);
  });

  it("serve somebody even if their time is over before they begin", () => {
    let now = 0;
    const turns = new Turns(
      { now: () => now, monotonic: () => (now += 10), setTimer: () => ({ cancel() {} }) },
      { nextTurn() {}, afterThis() {} },
    );
    let served = 0;
    turns.enlist({ user: undefined, serve: () => (served += 1) > 1 });
    expect(served).toBe(1);
  });

  it("go on when serving one fails", () => {
    const { enlist, patron, served, nextTurn } = createWorld(0.0625);
    expect(() =>
      enlist({
        user: undefined,
        serve: () => {
          throw new Error("broken");
        },
      }),
    ).toThrow("broken");
    nextTurn();
    enlist(patron("a", 1));
    nextTurn();
    expect(served).toEqual(["a"]);
  });
});

describe("the event loop", () => {
  it("goes on after this when all promises that follow from it are settled, and before the next turn", async () => {
    const seen: string[] = [];
    setImmediate(() => {
      setImmediate(() => seen.push("next turn"));
      void (async () => {
        for (let hop = 0; hop < 5; hop++) await Promise.resolve();
        seen.push("what was begun");
      })();
      eventLoop.afterThis(() => seen.push("after this"));
    });
    for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => eventLoop.nextTurn(resolve));
    expect(seen).toEqual(["what was begun", "after this", "next turn"]);
  });
});
