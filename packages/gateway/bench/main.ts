// npm run bench -- gateway [--seconds 4] [--rounds 3] [--connections 32]
// The data plane next to nginx as a proxy, by turns on one machine: wrk with one thread, 1 KB, connections that are kept, nginx as the backend.
import { execFile, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { loadavg } from "node:os";
import { parseArgs, promisify } from "node:util";
import { type Program, startNginx, untilListening } from "./nginx.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
    ours: { type: "boolean", default: false },
  },
});
const [backendPort, nginxPort, gatewayPort] = [38_080, 38_081, 38_082];
const routes = 1000;

interface Figure {
  readonly perSecond: number;
  /** Requests for each second that the proxy's process was on a processor. */
  readonly perCoreSecond: number;
  readonly p99Ms: number;
}

/** Ticks of a hundredth of a second that a process was on a processor, in user and system time. */
async function ticksOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]!.split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

async function load(port: number, pid: number): Promise<Figure> {
  const before = await ticksOf(pid);
  const { stdout } = await promisify(execFile)("wrk", [
    "-t1",
    `-c${values.connections}`,
    `-d${values.seconds}s`,
    "--latency",
    `http://127.0.0.1:${port}/`,
  ]);
  const ticks = (await ticksOf(pid)) - before;
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const errors = /Non-2xx.*|Socket errors.*/.exec(stdout)?.[0];
  if (errors) console.error(`port ${port}: ${errors}`);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    perCoreSecond: (requests * 100) / ticks,
    p99Ms: Number(p99) * (unit === "s" ? 1000 : unit === "us" ? 0.001 : 1),
  };
}

async function startGateway(): Promise<Program & { signal(): void }> {
  const child = fork(new URL("gateway-process.js", import.meta.url), [gatewayPort, backendPort, routes].map(String));
  await new Promise((resolve) => child.once("message", resolve));
  await untilListening(gatewayPort);
  return {
    pid: child.pid!,
    signal: () => child.kill("SIGUSR2"),
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

const statusOf = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });

/** Milliseconds from the change of a route among a thousand until it is served. */
async function timeOfChange(signal: () => void): Promise<number> {
  const before = performance.now();
  signal();
  while ((await statusOf(gatewayPort, "/changed")) !== 302);
  return performance.now() - before;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const programs: Program[] = [];
try {
  programs.push(await startNginx(backendPort, { bytes: 1024 }));
  const contestants: { name: string; port: number; pid: number; figures: Figure[] }[] = [];
  const add = (name: string, port: number, { pid }: Program): void =>
    void contestants.push({ name, port, pid, figures: [] });
  if (!values.ours) {
    const nginx = await startNginx(nginxPort, { to: backendPort });
    programs.push(nginx);
    add("nginx", nginxPort, nginx);
  }
  const gateway = await startGateway();
  programs.push(gateway);
  add("gateway", gatewayPort, gateway);
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const { port, pid, figures } of contestants) {
      const figure = await load(port, pid);
      if (round > 0) figures.push(figure); // the first one warms up
    }
  console.log(`load average ${loadavg()[0]!.toFixed(1)}; medians of ${values.rounds}`);
  for (const { name, figures } of contestants)
    console.log(
      `${name.padEnd(10)}${Math.round(median(figures.map(({ perSecond }) => perSecond)))} requests/s, ` +
        `${Math.round(median(figures.map(({ perCoreSecond }) => perCoreSecond)))} per second of its processor, ` +
        `p99 ${median(figures.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`,
    );
  console.log(`a changed route among ${routes} is served after ${(await timeOfChange(gateway.signal)).toFixed(1)} ms`);
} finally {
  for (const program of programs) await program.stop();
}
