import { containerdSocket } from "@coxswain/machines";
import { beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../clients/index.js";
import { busyboxRef, pauseRef } from "../images/index.js";
import { startTestMachine, type TestMachine } from "./test-machine.js";

const ctr = async (...args: string[]): Promise<string> => {
  const result = await runProgram("ctr", ["--address", containerdSocket, "--namespace", "k8s.io", ...args]);
  if (result.code !== 0) throw new Error(result.stderr);
  return result.stdout;
};

describe("a machine for tests", () => {
  let machine: TestMachine;
  beforeAll(async () => {
    machine = await startTestMachine();
  });

  it("has the small images", async () => {
    const names = (await ctr("images", "list", "--quiet")).split("\n");
    expect(names).toEqual(expect.arrayContaining([busyboxRef, pauseRef]));
  });

  it("runs a container of one", async () => {
    // Without a group of the machine's own it would be in one of the real machine, which stays.
    const group = `--cgroup=${machine.cgroupRoot}/hello`;
    const command = ["sh", "-c", "echo hello from $(whoami)"];
    expect(await ctr("run", "--rm", group, busyboxRef, "hello", ...command)).toBe("hello from root\n");
  });

  it("has no way out of its network", async () => {
    const routes = await runProgram("ip", ["route", "show", "default"]);
    expect(routes.stdout).toBe("");
  });
});
