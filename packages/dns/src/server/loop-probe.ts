import type { Runtime } from "@coxswain/runtime";
import { encodeMessage, type Message, type Question, recordClasses } from "@coxswain/wire/dns";
import { exchangeUdp } from "../forward/exchange.js";
import type { Forwarder } from "../forward/forwarder.js";
import { type NameServer, nameServerText } from "../forward/name-server.js";

/** HINFO, which nobody asks for; as CoreDNS's `loop` plugin. */
const probeType = 13;
const probeMs = 2000;

export interface LoopProbe {
  /** Whether it is a question that this server sent, and that came back to it. */
  isOwnQuestion(question: Question): boolean;
  /** Asks each server for a name that nobody else knows; resolves when all had time to answer. */
  run(servers: readonly NameServer[], forwarder: Forwarder): Promise<void>;
}

/**
 * Finds servers that forward to this one, such as a resolv.conf that names the machine itself: a question would go in circles until it is
 * forgotten. Such a server is not asked any more, and that is logged.
 */
export function createLoopProbe(runtime: Runtime): LoopProbe {
  const pending = new Map<string, () => void>();
  return {
    isOwnQuestion({ name, type }) {
      if (type !== probeType || pending.size === 0) return false;
      const cameBack = pending.get(name.toLowerCase());
      cameBack?.();
      return cameBack !== undefined;
    },
    async run(servers, forwarder) {
      await Promise.all(
        servers.map(async (server) => {
          const id = Buffer.from(runtime.random.bytes(2)).readUInt16BE(0);
          const name = `${Buffer.from(runtime.random.bytes(12)).toString("hex")}.loop`;
          const question = { name, type: probeType, class: recordClasses.IN };
          pending.set(name, () => {
            forwarder.avoid(server);
            runtime.log.error("a DNS server forwards to this one: it is not asked any more", {
              server: nameServerText(server),
            });
            pending.delete(name);
          });
          const request = { server, id, question, bytes: encodeMessage(queryOf(id, question)) };
          const options = { clock: runtime.ioClock, timeoutMs: probeMs, onDiscarded: () => {} };
          // No answer is as good as any: only what comes back to this server counts.
          await exchangeUdp(request, options).catch(() => undefined);
          pending.delete(name);
        }),
      );
    },
  };
}

export const queryOf = (id: number, question: Question): Message => ({
  id,
  isResponse: false,
  opcode: 0,
  authoritative: false,
  truncated: false,
  recursionDesired: true,
  recursionAvailable: false,
  authenticData: false,
  checkingDisabled: false,
  responseCode: 0,
  questions: [question],
  answers: [],
  authorities: [],
  additionals: [],
  edns: undefined,
});
