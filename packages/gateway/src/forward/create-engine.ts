import { Agent } from "node:http";
import {
  type CreateEngine,
  type EnginePort,
  type FailedPort,
  type HttpPort,
  keyOfPort,
  type TlsPort,
} from "../engine/engine.js";
import { type ServedPort, servePort } from "./served-port.js";

/** The data plane for HTTP/1.1 and HTTPS. */
export const createEngine: CreateEngine = (options) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1024, maxFreeSockets: 256, timeout: 60_000 });
  const open = new Map<string, ServedPort>();
  const closing = new Set<Promise<void>>();

  function closeOne(key: string, port: ServedPort): void {
    open.delete(key);
    const closed = port.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function openOne(wanted: EnginePort): Promise<FailedPort | undefined> {
    if (!isServed(wanted))
      return { wanted, error: Object.assign(new Error("not supported yet"), { code: "EPROTONOSUPPORT" }) };
    try {
      open.set(keyOfPort(wanted), await servePort(wanted, { ...options, agent }));
      return undefined;
    } catch (error) {
      return { wanted, error: error as NodeJS.ErrnoException };
    }
  }

  return {
    async apply(ports) {
      const keys = new Set(ports.map(keyOfPort));
      for (const [key, port] of open) if (!keys.has(key)) closeOne(key, port);
      const failed: FailedPort[] = [];
      for (const wanted of ports) {
        const there = open.get(keyOfPort(wanted));
        if (there && isServed(wanted)) {
          there.update(wanted);
          continue;
        }
        const failure = await openOne(wanted);
        if (failure) failed.push(failure);
      }
      return failed;
    },
    async close() {
      for (const [key, port] of open) closeOne(key, port);
      await Promise.all(closing);
      agent.destroy();
    },
  };
};

const isServed = (port: EnginePort): port is HttpPort | TlsPort => port.protocol === "http" || port.protocol === "tls";
