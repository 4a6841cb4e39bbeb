import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

export interface Measured {
  readonly perSecond: number;
  /** Of the server's processor time. */
  readonly perCpuSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly lost: number;
  /** Resident memory of the server afterwards. */
  readonly megabytes: number;
}

export interface Load {
  readonly port: number;
  /** Of the server. */
  readonly pid: number;
  /** Encoded questions, asked in turn. */
  readonly questions: readonly Buffer[];
  readonly seconds: number;
  /** At the same time; each is asked again once it is answered. */
  readonly inFlight: number;
  /** Questions are asked at this rate, as far as it is reached. @default as fast as they are answered */
  readonly perSecond?: number;
}

/** Milliseconds after which a question counts as lost. */
const lostMs = 2000;

/** Asks by UDP for some seconds, from `inFlight` sockets with one question each. */
export async function measure({ port, pid, questions, seconds, inFlight, perSecond }: Load): Promise<Measured> {
  const latencies: number[] = [];
  let lost = 0;
  let next = 0;
  const end = performance.now() + seconds * 1000;
  const cpuBefore = cpuSeconds(pid);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async (_, at) => {
      const everyMs = perSecond === undefined ? 0 : (inFlight * 1000) / perSecond;
      let due = start + (at / inFlight) * everyMs;
      const socket = createSocket("udp4");
      socket.bind(0, "127.0.0.1");
      await once(socket, "listening");
      while (performance.now() < end) {
        due += everyMs;
        if (everyMs > 0) await sleep(Math.max(0, due - performance.now()));
        const asked = performance.now();
        if (await askOne(socket, questions[next++ % questions.length]!, port))
          latencies.push(performance.now() - asked);
        else lost++;
      }
      socket.close();
    }),
  );
  const took = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(pid) - cpuBefore;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    perSecond: latencies.length / took,
    perCpuSecond: latencies.length / cpu,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    lost,
    megabytes: residentMegabytes(pid),
  };
}

function askOne(socket: Socket, bytes: Buffer, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      socket.removeAllListeners("message");
      resolve(false);
    }, lostMs);
    socket.once("message", () => {
      clearTimeout(timer);
      resolve(true);
    });
    socket.send(bytes, port, "127.0.0.1");
  });
}

/** User and system time of a process (proc(5), `stat`: fields 14 and 15, in hundredths of a second). */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
