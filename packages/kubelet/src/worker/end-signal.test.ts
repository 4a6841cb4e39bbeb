import { describe, expect, it } from "vitest";
import { EndSignal } from "./end-signal.js";

describe("an end", () => {
  it("reaches those who wait for it", () => {
    const end = new EndSignal();
    const { signal } = end;
    expect([end.isEnded, signal.aborted, end.signal === signal]).toEqual([false, false, true]);
    end.end();
    expect([end.isEnded, signal.aborted]).toEqual([true, true]);
  });

  it("reaches those who come later", () => {
    const end = new EndSignal();
    end.end();
    expect(end.signal.aborted).toBe(true);
  });

  it("does not reach work that was done before", () => {
    const end = new EndSignal();
    const { signal } = end;
    end.release();
    end.end();
    expect([signal.aborted, end.signal.aborted]).toEqual([false, true]);
  });
});
