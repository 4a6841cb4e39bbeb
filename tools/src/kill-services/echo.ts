import { type ChildProcess, spawn } from "node:child_process";
import type { Namespace } from "../proxy-compare/test-network.js";

/** Sends back what it receives, on port 8081. */
const server = `
  require("net").createServer((socket) => { socket.on("error", () => {}); socket.pipe(socket); })
    .listen(8081, "::", () => console.log("ready"));
`;

/** Keeps connections open and in use; reports each that ended, and at the end how many echoes there were and the longest wait for one. */
const client = `
  const targets = JSON.parse(process.argv[1]);
  const report = { echoes: 0, longestMs: 0, broken: [] };
  let isEnding = false, connected = 0;
  for (const { address, port } of targets) {
    const socket = require("net").connect(port, address);
    let sentAt = 0, waiting = false;
    const send = () => { sentAt = performance.now(); waiting = true; socket.write("x"); };
    const broken = (why) => { if (!isEnding) report.broken.push(address + ":" + port + ": " + why); };
    socket.on("connect", () => { send(); if (++connected === targets.length) console.log("ready"); });
    socket.on("data", () => {
      waiting = false;
      report.echoes++;
      report.longestMs = Math.max(report.longestMs, performance.now() - sentAt);
      setTimeout(() => socket.destroyed || send(), 50);
    });
    socket.on("error", (error) => broken(error.code));
    socket.on("end", () => broken("ended"));
    process.stdin.once("end", () => { if (waiting && performance.now() - sentAt > 10000) broken("no echo for ten seconds"); });
  }
  process.stdin.resume().once("end", () => { isEnding = true; console.log(JSON.stringify(report)); process.exit(0); });
`;

const startScript = (namespace: Namespace, script: string, argument: string): Promise<ChildProcess> => {
  const [program = "", ...args] = [...namespace.enter, process.execPath, "-e", script, argument];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", () => resolve(child));
    child.once("exit", () => reject(new Error(`a script in namespace ${namespace.pid} ended`)));
  });
};

export const serveEchoes = (namespace: Namespace): Promise<ChildProcess> => startScript(namespace, server, "");

export interface EchoReport {
  readonly echoes: number;
  readonly longestMs: number;
  /** Connections that did not last. */
  readonly broken: readonly string[];
}

export interface Echoes {
  /** Ends the connections. */
  stop(): Promise<EchoReport>;
}

/** Opens connections to all targets and uses them until it is stopped. Resolves when all are established. */
export async function openEchoes(
  namespace: Namespace,
  targets: readonly { readonly address: string; readonly port: number }[],
): Promise<Echoes> {
  const child = await startScript(namespace, client, JSON.stringify(targets));
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        let printed = "";
        child.stdout?.on("data", (chunk) => (printed += String(chunk)));
        child.once("close", () => {
          try {
            resolve(JSON.parse(printed) as EchoReport);
          } catch (error) {
            reject(new Error(`connections were not reported on: ${printed}`, { cause: error }));
          }
        });
        child.stdin?.end();
      }),
  };
}
