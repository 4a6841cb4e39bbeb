import { connect } from "node:net";
import { freePorts } from "../upstream/free-port.js";
import { type ManagedProcess, startProcess } from "../upstream/managed-process.js";

export interface SampleApiserver extends Pick<ManagedProcess, "stop"> {
  readonly port: number;
}

export interface ListeningProgram {
  readonly command: string;
  readonly logFile: string;
  args(port: number): readonly string[];
}

/** Starts a sample API server at a free port of this machine, and waits until it listens. */
export async function startListening({ command, logFile, args }: ListeningProgram): Promise<SampleApiserver> {
  const [port = 0] = await freePorts(1);
  const server = startProcess({ name: "sample-apiserver", command, logFile, args: args(port) });
  try {
    await server.waitUntil(() => listens(port), { timeoutMs: 60_000, intervalMs: 50 });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { port, stop: () => server.stop() };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
