import { describe, expect, it } from "vitest";
import { type Patron, Turns } from "./turns.js";

/** Time passes only by serving. */
function createWorld(msEach: number) {
  let now = 0;
  const served: string[] = [];
  const later: (() => void)[] = [];
  const turns = new Turns({ now: () => now, monotonic: () => now, setTimer: () => ({ cancel() {} }) }, (run) => void later.push(run));
  const patron = (name: string, requests: number, user?: string): Patron => ({
    user,
    serve() {
      served.push(name);
      now += msEach;
      return --requests > 0;
    },
  });
  return { turns, patron, served, nextTurn: () => later.splice(0).forEach((run) => run()), isIdle: () => later.length === 0 };
}

describe("turns", () => {
  it("serve at once who comes alone, and then rest", () => {
    const { turns, patron, served, nextTurn, isIdle } = createWorld(0.125);
    turns.enlist(patron("a", 2));
    expect(served).toEqual(["a", "a"]);
    nextTurn();
    expect(isIdle()).toBe(true);
  });

  it("begin no more in a turn than there is time for, and go on in the next", () => {
    const { turns, patron, served, nextTurn } = createWorld(0.125);
    turns.enlist(patron("a", 8));
    expect(served.length).toBe(3);
    turns.enlist(patron("b", 1));
    expect(served.length).toBe(3);
    nextTurn();
    expect(served.slice(3)).toEqual(["b", "a", "a"]);
    nextTurn();
    expect(served.length).toBe(9);
  });

  it("let those who have much waiting take turns, and newcomers go first", () => {
    const { turns, patron, served, nextTurn } = createWorld(1);
    for (const name of ["a", "b", "c"]) turns.enlist(patron(name, 10));
    for (let turn = 0; turn < 4; turn++) nextTurn();
    turns.enlist(patron("new", 2));
    for (let turn = 0; turn < 5; turn++) nextTurn();
    expect(served.join(" ")).toBe("a b c a b new c a b new");
  });

  it("are taken by users, however many connections each has", () => {
    const { turns, patron, served, nextTurn } = createWorld(1);
    for (const name of ["a1", "a2", "a3", "a4"]) turns.enlist(patron(name, 10, "a"));
    turns.enlist(patron("b", 10, "b"));
    for (let turn = 0; turn < 8; turn++) nextTurn();
    expect(served.join(" ")).toBe("a1 b a1 b a2 b a3 b a4");
  });

  it("count a connection to its user as soon as that is known", () => {
    const { turns, patron, served, nextTurn } = createWorld(1);
    const stranger = { ...patron("stranger", 10), user: undefined as string | undefined };
    turns.enlist(patron("a", 10, "a"));
    turns.enlist(stranger);
    stranger.user = "a";
    turns.enlist(patron("b", 10, "b"));
    for (let turn = 0; turn < 6; turn++) nextTurn();
    expect(served.join(" ")).toBe("a stranger b a b stranger b");
  });

  it("serve a request however long it takes, but one only", () => {
    const { turns, patron, served, nextTurn } = createWorld(500);
    turns.enlist(patron("a", 2));
    turns.enlist(patron("b", 1));
    expect(served).toEqual(["a"]);
    nextTurn();
    expect(served).toEqual(["a", "b"]);
  });

  it("go on when serving one fails", () => {
    const { turns, patron, served, nextTurn } = createWorld(0.125);
    expect(() => turns.enlist({ user: undefined, serve: () => { throw new Error("broken"); } })).toThrow("broken");
    turns.enlist(patron("a", 1));
    nextTurn();
    expect(served).toEqual(["a"]);
  });
});
