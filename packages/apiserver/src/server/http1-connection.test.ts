import type { Task, TaskScheduler } from "@coxswain/apimachinery/task-scheduler";
import { describe, expect, it } from "vitest";
import { Http1Connection } from "./http1-connection.js";

describe("the requests of an HTTP/1.1 connection", () => {
  const setUp = () => {
    const scheduled: Task[] = [];
    const connection = new Http1Connection({
      schedule: (task: Task) => scheduled.push(task),
    } as unknown as TaskScheduler);
    const runAll = (): number => {
      let runs = 0;
      for (let task = scheduled.shift(); task; task = scheduled.shift(), runs++) task.run(0);
      return runs;
    };
    return { connection, scheduled, runAll };
  };

  it("begin one per run, in their order, also those that arrive meanwhile", () => {
    const { connection, runAll } = setUp();
    const begun: string[] = [];
    connection.enqueue(() => {
      begun.push("first");
      connection.enqueue(() => begun.push("third"));
    });
    connection.enqueue(() => begun.push("second"));
    expect([runAll(), begun]).toEqual([3, ["first", "second", "third"]]);
  });

  it("begin also behind one that throws", () => {
    const { connection, scheduled, runAll } = setUp();
    connection.enqueue(() => {
      throw new Error("broken");
    });
    let isBegun = false;
    connection.enqueue(() => (isBegun = true));
    expect(() => scheduled.shift()?.run(0)).toThrow("broken");
    runAll();
    expect(isBegun).toBe(true);
  });
});
