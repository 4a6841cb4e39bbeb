import type { RandomSource } from "@coxswain/runtime/random";
import { type Edns, type Message, type ResourceRecord, recordClasses, responseCodes } from "@coxswain/wire/dns";
import type { AnswerPlan } from "./answer-plan.js";
import { orderRecords, someInRandomOrder } from "./order-records.js";

export interface ResponseParts {
  readonly responseCode: number;
  readonly authoritative: boolean;
  readonly truncated?: boolean;
  readonly answers?: readonly ResourceRecord[];
  readonly authorities?: readonly ResourceRecord[];
  readonly additionals?: readonly ResourceRecord[];
}

const nothing: readonly ResourceRecord[] = [];

/** A response to `query`: its id, question and flags, with OPT if it had one (RFC 6891, section 6.1.1), whose options are not taken. */
export function responseTo(query: Message, parts: ResponseParts): Message {
  const { edns } = query;
  return {
    id: query.id,
    isResponse: true,
    opcode: query.opcode,
    authoritative: parts.authoritative,
    truncated: parts.truncated ?? false,
    recursionDesired: query.recursionDesired,
    recursionAvailable: false,
    authenticData: false,
    checkingDisabled: query.checkingDisabled,
    responseCode: parts.responseCode,
    questions: query.questions,
    answers: parts.answers ?? nothing,
    authorities: parts.authorities ?? nothing,
    additionals: parts.additionals ?? nothing,
    edns: edns && echoedEdns(edns),
  };
}

export const echoedEdns = ({ udpSize, dnssecOk }: Edns): Edns => ({ udpSize, version: 0, dnssecOk, options: [] });

export const failureOf = (query: Message, responseCode: number): Message =>
  responseTo(query, { responseCode, authoritative: false });

/** Octets of the smallest record with an address: no more of them than fit are made of a long list. */
const addressRecordOctets = 16;

/** Plans that need nobody else. */
export type LocalPlan = Exclude<AnswerPlan, { kind: "elsewhere" | "alias" }>;

export interface RespondOptions {
  readonly random: RandomSource;
  readonly ttl: number;
  /** Of the whole message. */
  readonly maxOctets: number;
}

/** The message that carries out a plan; addresses are in random order, as CoreDNS's `loadbalance` plugin has them. */
export function respond(query: Message, plan: LocalPlan, { random, ttl, maxOctets }: RespondOptions): Message {
  switch (plan.kind) {
    case "refused":
      return failureOf(query, responseCodes.REFUSED);
    case "failure":
      return responseTo(query, {
        responseCode: responseCodes.SERVFAIL,
        authoritative: true,
        authorities: [plan.soa],
      });
    case "no-name":
      return responseTo(query, {
        responseCode: responseCodes.NXDOMAIN,
        authoritative: true,
        authorities: [plan.soa],
      });
    case "no-data":
      return responseTo(query, { responseCode: responseCodes.NOERROR, authoritative: true, authorities: [plan.soa] });
    case "records":
      return responseTo(query, {
        responseCode: responseCodes.NOERROR,
        authoritative: true,
        answers: plan.answers,
        additionals: orderRecords(plan.additionals, random),
      });
    case "addresses": {
      const { name, type } = plan;
      // One more than fits: its absence is what marks the message as truncated.
      const most = Math.ceil(maxOctets / addressRecordOctets) + 1;
      const addresses = someInRandomOrder(plan.addresses, most, random).map(
        (address): ResourceRecord => ({ type, name, class: recordClasses.IN, ttl, address }),
      );
      return responseTo(query, {
        responseCode: responseCodes.NOERROR,
        authoritative: true,
        answers: plan.aliases.length > 0 ? [...plan.aliases, ...addresses] : addresses,
      });
    }
  }
}
