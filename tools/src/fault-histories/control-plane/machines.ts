import { spawn } from "node:child_process";
import { once } from "node:events";
import { onMachine, performSteps, planHolder, type Step } from "@coxswain/machines";
import { systemClock } from "@coxswain/runtime/clock";
import { runProgram } from "../../clients/index.js";

/** The bridge's, which clients have. Nothing else has this network: it exists only in namespaces of this process' own. */
export const clientAddress = "10.99.0.1";

export interface Machine {
  /** From 0. */
  readonly index: number;
  readonly address: string;
  /** The command line that runs another one on it. */
  inside(command: readonly string[]): readonly string[];
  run(command: readonly string[], input?: string): Promise<string>;
}

const run = (...command: string[]): Step => ({ kind: "run", command });

/** Namespaces that a bridge joins, in namespaces of this process' own: they go with them. */
export async function makeMachines(count: number): Promise<Machine[]> {
  const steps = (list: readonly Step[]): Promise<void> => performSteps(list, { clock: systemClock });
  await steps([
    run("ip", "link", "set", "lo", "up"),
    run("ip", "link", "add", "machines", "type", "bridge"),
    run("ip", "address", "add", `${clientAddress}/24`, "dev", "machines"),
    run("ip", "link", "set", "machines", "up"),
  ]);
  const machines: Machine[] = [];
  for (let index = 0; index < count; index++) {
    const [holder, address] = [await startHolder(), `10.99.0.1${index + 1}`];
    const inside = (command: readonly string[]): readonly string[] => onMachine(holder, command);
    const there = (...command: string[]): Step => run(...inside(command));
    await steps([
      run("ip", "link", "add", `m${index}`, "type", "veth", "peer", "name", "eth0", "netns", String(holder)),
      run("ip", "link", "set", `m${index}`, "master", "machines", "up"),
      there("ip", "link", "set", "lo", "up"),
      there("ip", "address", "add", `${address}/24`, "dev", "eth0"),
      there("ip", "link", "set", "eth0", "up"),
    ]);
    machines.push({
      index,
      address,
      inside,
      async run(command, input) {
        const [program = "", ...args] = inside(command);
        const { code, stdout, stderr } = await runProgram(program, args, input === undefined ? {} : { input });
        if (code !== 0) throw new Error(`${command.join(" ")}: ${stderr.trim()}`);
        return stdout;
      },
    });
  }
  return machines;
}

async function startHolder(): Promise<number> {
  const [program = "", ...args] = planHolder();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.unref();
  return child.pid ?? -1;
}
