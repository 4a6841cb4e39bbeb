import type { Socket } from "node:net";
import type { Scheduler, Task } from "@coxswain/runtime/scheduler";
import { describe, expect, it } from "vitest";
import { Http1Connection } from "./connection.js";

describe("the requests of an HTTP/1.1 connection", () => {
  const setUp = () => {
    const scheduled: Task[] = [];
    const socket = {
      destroyed: false,
      isPaused: false,
      pause: () => ((socket.isPaused = true), socket),
      resume: () => ((socket.isPaused = false), socket),
    };
    const connection = new Http1Connection(
      { schedule: (task: Task) => scheduled.push(task) } as unknown as Scheduler,
      socket as unknown as Socket,
    );
    const runAll = (): number => {
      let runs = 0;
      for (let task = scheduled.shift(); task; task = scheduled.shift(), runs++) task.run(() => false);
      return runs;
    };
    return { connection, socket, scheduled, runAll };
  };

  it("begin one at a time, in their order, when the one before is over", () => {
    const { connection, socket, runAll } = setUp();
    const begun: string[] = [];
    connection.enqueue(() => {
      begun.push("first");
      connection.enqueue(() => begun.push("third"));
    });
    connection.enqueue(() => begun.push("second"));
    expect([runAll(), begun, socket.isPaused]).toEqual([1, ["first"], true]);
    connection.over();
    expect([runAll(), begun, socket.isPaused]).toEqual([1, ["first", "second"], true]);
    connection.over();
    expect([runAll(), begun, socket.isPaused]).toEqual([1, ["first", "second", "third"], false]);
    connection.over();
    expect(runAll()).toBe(0);
  });

  it("do not begin when the connection is gone", () => {
    const { connection, socket, runAll } = setUp();
    const begun: string[] = [];
    for (const name of ["first", "second"]) connection.enqueue(() => begun.push(name));
    runAll();
    socket.destroyed = true;
    connection.over();
    connection.enqueue(() => begun.push("third"));
    expect([runAll(), begun]).toEqual([0, ["first"]]);
  });

  it("begin also behind one that throws", () => {
    const { connection, scheduled, runAll } = setUp();
    connection.enqueue(() => {
      throw new Error("broken");
    });
    let isBegun = false;
    connection.enqueue(() => (isBegun = true));
    expect(() => scheduled.shift()?.run(() => false)).toThrow("broken");
    runAll();
    expect(isBegun).toBe(true);
  });
});
