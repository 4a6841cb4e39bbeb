import type { Runtime } from "@coxswain/runtime";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { encodeMessage, type Message, maxMessageOctets, type Question, responseCodes } from "@coxswain/wire/dns";
import type { ClusterZones } from "../answer/cluster-zones.js";
import { orderRecords } from "../answer/order-records.js";
import { planAnswer } from "../answer/plan-answer.js";
import { echoedEdns, failureOf, respond, responseTo } from "../answer/respond.js";
import type { Forwarded, Forwarder, Transport } from "../forward/forwarder.js";
import type { Records } from "../records/records.js";
import { acceptQuery } from "./accept-query.js";
import type { DnsMetrics } from "./dns-metrics.js";

export interface Asker {
  readonly transport: Transport;
  /** The client's address. */
  readonly client: string;
}

export interface QueryHandler {
  /** The bytes to send back; undefined: none. At once where the cluster alone decides. */
  handle(bytes: Uint8Array, asker: Asker): Soon<Uint8Array | undefined>;
  /** The same for a message within this process: the whole answer, however long. */
  resolve(query: Message): Promise<Message>;
}

export interface QueryHandlerOptions {
  readonly runtime: Runtime;
  readonly records: Records;
  readonly zones: ClusterZones;
  readonly forwarder: Forwarder;
  readonly metrics: DnsMetrics;
  /** See `AcceptOptions`. */
  readonly anyClass: boolean;
  /** Questions that the server sent itself, to see whether they come back. */
  readonly isOwnQuestion: (question: Question) => boolean;
}

/** A datagram without EDNS (RFC 1035, section 4.2.1), and the most that is sent in one: larger ones are for amplification. */
const minUdpOctets = 512;
const maxUdpOctets = 4096;

export function maxOctetsFor({ edns }: Message, transport: Transport): number {
  if (transport === "tcp") return maxMessageOctets;
  return Math.min(maxUdpOctets, Math.max(minUdpOctets, edns?.udpSize ?? 0));
}

/** What another server sent, as it is, and as a message where it can be read. */
interface ForwardedBytes {
  readonly kind: "forwarded";
  readonly bytes: Uint8Array;
  readonly message: Message | undefined;
}

type Response = (Message & { readonly kind?: undefined }) | ForwardedBytes;

export function createQueryHandler(options: QueryHandlerOptions): QueryHandler {
  const { runtime, records, zones, forwarder, metrics } = options;

  function answer(query: Message, asker: Asker, bytes: Uint8Array | undefined, maxOctets: number): Soon<Response> {
    const question = query.questions[0]!;
    if (options.isOwnQuestion(question)) return failureOf(query, responseCodes.REFUSED);
    const plan = planAnswer(question, records, zones);
    switch (plan.kind) {
      case "elsewhere":
        return whenKnown(
          forwarder.ask({ message: query, bytes: bytes ?? encodeMessage(query), ...asker }),
          (answered) => forwardedResponse(query, answered),
        );
      case "alias": {
        const target: Message = { ...query, id: 0, questions: [{ ...question, name: plan.target }] };
        return whenKnown(forwarder.ask({ message: target, bytes: encodeMessage(target), ...asker }), (answered) => {
          const chased = answered.kind === "answer" ? answered.message : undefined;
          return responseTo(query, {
            responseCode: responseCodes.NOERROR,
            authoritative: true,
            truncated: chased?.truncated ?? false,
            answers: orderRecords([...plan.aliases, ...(chased?.answers ?? [])], runtime.random),
          });
        });
      }
    }
    return respond(query, plan, { random: runtime.random, ttl: zones.ttl, maxOctets });
  }

  return {
    handle(bytes, asker) {
      const start = runtime.ioClock.monotonic();
      const accepted = acceptQuery(bytes, options);
      if (accepted.kind === "ignored") return undefined;
      if (accepted.kind === "rejected") return encodeMessage(accepted.response);
      const { query } = accepted;
      const maxOctets = maxOctetsFor(query, asker.transport);
      return whenKnown(answer(query, asker, bytes, maxOctets), (response) => {
        const sent = bytesOf(query, response, maxOctets);
        metrics.served({
          transport: asker.transport,
          family: asker.client.includes(":") ? "2" : "1",
          query,
          responseCode: sent[3]! & 0xf,
          queryOctets: bytes.length,
          responseOctets: sent.length,
          seconds: (runtime.ioClock.monotonic() - start) / 1000,
        });
        return sent;
      });
    },
    async resolve(query) {
      const asker = { transport: "tcp", client: "in-process" } as const;
      const response = await answer(query, asker, undefined, Number.MAX_SAFE_INTEGER);
      return response.kind === "forwarded" ? messageFor(query, response.message) : response;
    },
  };
}

/** The bytes of another server go on as they are, unless the client has no room for them. */
function bytesOf(query: Message, response: Response, maxOctets: number): Uint8Array {
  if (response.kind !== "forwarded") return encodeMessage(response, maxOctets);
  if (response.bytes.length <= maxOctets) return response.bytes;
  return encodeMessage(messageFor(query, response.message), maxOctets);
}

function forwardedResponse(query: Message, answered: Forwarded): Response {
  if (answered.kind === "busy") return failureOf(query, responseCodes.REFUSED);
  if (answered.kind === "failed") return failureOf(query, responseCodes.SERVFAIL);
  const { bytes, message } = answered;
  return bytes ? { kind: "forwarded", bytes, message } : messageFor(query, message);
}

/** What another server answered to somebody, for this client: its id and question, its EDNS. */
function messageFor(query: Message, message: Message | undefined): Message {
  if (!message) return failureOf(query, responseCodes.SERVFAIL);
  const { name } = query.questions[0]!;
  const lower = name.toLowerCase();
  return {
    ...message,
    // In the case of this question, and not of the one whose answer was kept.
    answers: message.answers.map((record) => (record.name.toLowerCase() === lower ? { ...record, name } : record)),
    id: query.id,
    recursionDesired: query.recursionDesired,
    checkingDisabled: query.checkingDisabled,
    questions: query.questions,
    edns: query.edns && echoedEdns(query.edns),
  };
}
