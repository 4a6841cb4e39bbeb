import type { Runtime } from "@coxswain/runtime";
import type { Soon } from "@coxswain/runtime/soon";
import { DnsError, decodeMessage, type Message } from "@coxswain/wire/dns";
import { someInRandomOrder } from "../answer/order-records.js";
import { AnswerCache } from "./answer-cache.js";
import { createClientShares } from "./client-shares.js";
import { type ExchangeOptions, exchangeTcp, exchangeUdp } from "./exchange.js";
import { type ForwardOptions, serversFor } from "./forward-routes.js";
import { type NameServer, nameServerText } from "./name-server.js";
import { createServerHealth } from "./server-health.js";

export type Transport = "udp" | "tcp";

export interface ForwardedQuery {
  /** With exactly one question. */
  readonly message: Message;
  /** The same as it was received: that is what is sent on, under another id. */
  readonly bytes: Uint8Array;
  /** The client's: over TCP it has room for any answer. */
  readonly transport: Transport;
  /** Its address, for limits. */
  readonly client: string;
}

export type Forwarded =
  /** `bytes`: the answer as it was received, for the one who asked; `message`: the same, for everybody who asks it. */
  | { readonly kind: "answer"; readonly message: Message | undefined; readonly bytes: Uint8Array | undefined }
  /** No server answered. */
  | { readonly kind: "failed" }
  /** Too many questions are under way, of all clients or of this one. */
  | { readonly kind: "busy" };

export interface Forwarder {
  ask(query: ForwardedQuery): Soon<Forwarded>;
  /** Nothing is asked there any more: its answers lead back to this server. */
  avoid(server: NameServer): void;
  readonly cache: AnswerCache;
}

/** What a forwarder counts. */
export interface ForwardObserver {
  /** A server answered, with this response code. */
  request(server: NameServer, seconds: number, responseCode: number): void;
  discarded(): void;
  rejected(): void;
  cacheRequest(hit: "success" | "denial" | undefined): void;
}

/** Milliseconds: for one server, and for all tries (CoreDNS's `readTimeout` and `defaultTimeout` of `plugin/forward`). */
const tryMs = 2000;
const allTriesMs = 5000;
/** Questions that other servers are asked at once, as `max_concurrent` in kubeadm's configuration; one client gets a tenth of it. */
const maxAsked = { total: 1000, perClient: 100 };
/** Questions that wait for the answer to an equal one: they cost memory only, but a flood of one name would cost any amount of it. */
const maxJoined = { total: 10_000, perClient: 1000 };

/**
 * Asks other servers. *Guarantees*: equal questions under way at once are one question (so that guessing ids gains nothing by asking often:
 * RFC 5452, section 5); ids and ports are random; an answer is used for the question that it answers and for nothing else.
 */
export function createForwarder(runtime: Runtime, options: ForwardOptions, observer: ForwardObserver): Forwarder {
  const { ioClock, random } = runtime;
  const cache = new AnswerCache({ clock: ioClock });
  const underWay = new Map<string, Promise<Forwarded>>();
  const asking = createClientShares(maxAsked);
  const joined = createClientShares(maxJoined);
  const health = createServerHealth(ioClock);
  const avoided = new Set<string>();
  const exchangeOptions: ExchangeOptions = {
    clock: ioClock,
    timeoutMs: tryMs,
    onDiscarded: () => observer.discarded(),
  };

  async function askServer(server: NameServer, query: ForwardedQuery): Promise<Forwarded> {
    const bytes = Buffer.from(query.bytes);
    const id = Buffer.from(random.bytes(2)).readUInt16BE(0);
    bytes.writeUInt16BE(id, 0);
    const start = ioClock.monotonic();
    const exchange = query.transport === "udp" ? exchangeUdp : exchangeTcp;
    const answer = await exchange({ server, bytes, id, question: query.message.questions[0]! }, exchangeOptions);
    observer.request(server, (ioClock.monotonic() - start) / 1000, answer[3]! & 0xf);
    answer.writeUInt16BE(query.message.id, 0);
    return { kind: "answer", message: decodeAnswer(answer), bytes: answer };
  }

  async function askServers(query: ForwardedQuery): Promise<Forwarded> {
    const name = query.message.questions[0]!.name.toLowerCase();
    const servers = serversFor(name, options).filter((server) => !avoided.has(nameServerText(server)));
    const end = ioClock.monotonic() + allTriesMs;
    for (const server of health.healthyFirst(someInRandomOrder(servers, servers.length, random))) {
      try {
        const answer = await askServer(server, query);
        health.answered(server);
        return answer;
      } catch (error) {
        health.failed(server);
        runtime.log.debug("a DNS server does not answer", { server: nameServerText(server), error });
      }
      if (ioClock.monotonic() >= end) break;
    }
    return { kind: "failed" };
  }

  async function askOnce(query: ForwardedQuery, key: string): Promise<Forwarded> {
    try {
      const answer = await askServers(query);
      if (answer.kind === "answer" && answer.message)
        cache.put(keyOf(query.message), answer.message, answer.bytes?.length ?? 0);
      return answer;
    } finally {
      underWay.delete(key);
      asking.release(query.client);
    }
  }

  return {
    cache,
    avoid: (server) => void avoided.add(nameServerText(server)),
    ask(query) {
      const known = cache.get(keyOf(query.message));
      observer.cacheRequest(known?.kind);
      if (known) return { kind: "answer", message: known.message, bytes: undefined };
      const key = `${keyOf(query.message)} ${query.transport}`;
      const same = underWay.get(key);
      if (!(same ? joined : asking).take(query.client)) {
        observer.rejected();
        return { kind: "busy" };
      }
      if (same) return same.then(forAnother).finally(() => joined.release(query.client));
      const asked = askOnce(query, key);
      underWay.set(key, asked);
      return asked;
    },
  };
}

/** An answer for those who joined: its bytes have the id of the one who asked. */
const forAnother = (answer: Forwarded): Forwarded =>
  answer.kind === "answer" ? { ...answer, bytes: undefined } : answer;

/** Questions with one answer: those that differ in DO, CD or RD may have several. */
function keyOf({ questions: [question], edns, checkingDisabled, recursionDesired }: Message): string {
  const flags = (edns?.dnssecOk ? 1 : 0) | (checkingDisabled ? 2 : 0) | (recursionDesired ? 4 : 0);
  return `${question?.name.toLowerCase()} ${question?.type} ${question?.class} ${flags}`;
}

/** Undefined for what only the client may understand. */
function decodeAnswer(bytes: Uint8Array): Message | undefined {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof DnsError) return undefined;
    throw error;
  }
}
