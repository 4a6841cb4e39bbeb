import {
  DnsError,
  decodeMessage,
  type Header,
  headerOctets,
  type Message,
  MessageReader,
  opcodes,
  readHeader,
  recordClasses,
  responseCodes,
} from "@coxswain/wire/dns";
import { failureOf } from "../answer/respond.js";

export type Accepted =
  /** Nothing is sent: not even a head, or a response, to which a response would be the begin of a loop. */
  | { readonly kind: "ignored" }
  | { readonly kind: "rejected"; readonly response: Message }
  | { readonly kind: "query"; readonly query: Message };

export interface AcceptOptions {
  /** Whether classes other than IN are accepted, as CoreDNS does where it forwards: such questions are for other servers, too. */
  readonly anyClass: boolean;
}

/**
 * What may be answered at all: one question, of class IN where others are not accepted, and no more records than a question needs. As `defaultMsgAcceptFunc` of
 * github.com/miekg/dns (acceptfunc.go) and `ServeDNS` in `core/dnsserver/server.go` of CoreDNS.
 */
export function acceptQuery(bytes: Uint8Array, { anyClass }: AcceptOptions): Accepted {
  if (bytes.length < headerOctets) return { kind: "ignored" };
  const { header, questions, answers, authorities, additionals } = readHeader(new MessageReader(bytes));
  if (header.isResponse) return { kind: "ignored" };
  if (header.opcode !== opcodes.QUERY) return rejected(header, responseCodes.NOTIMP);
  if (questions !== 1 || answers > 1 || authorities > 1 || additionals > 2)
    return rejected(header, responseCodes.FORMERR);
  const query = decode(bytes);
  if (!query) return rejected(header, responseCodes.FORMERR);
  if (query.questions[0]!.class !== recordClasses.IN && !anyClass)
    return { kind: "rejected", response: failureOf(query, responseCodes.REFUSED) };
  if (query.edns && query.edns.version !== 0)
    return { kind: "rejected", response: withoutSize(failureOf(query, responseCodes.BADVERS)) };
  return { kind: "query", query };
}

function decode(bytes: Uint8Array): Message | undefined {
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (error instanceof DnsError) return undefined;
    throw error;
  }
}

/** As `Version` in `plugin/pkg/edns/edns.go` of CoreDNS: its OPT record has nothing but the version. */
const withoutSize = (response: Message): Message => ({
  ...response,
  edns: { udpSize: 0, version: 0, dnssecOk: false, options: [] },
});

/** A head alone: what follows it was not understood. */
const rejected = (header: Header, responseCode: number): Accepted => ({
  kind: "rejected",
  response: {
    id: header.id,
    isResponse: true,
    opcode: header.opcode,
    authoritative: false,
    truncated: header.truncated,
    recursionDesired: header.recursionDesired,
    recursionAvailable: header.recursionAvailable,
    authenticData: header.authenticData,
    checkingDisabled: header.checkingDisabled,
    responseCode,
    questions: [],
    answers: [],
    authorities: [],
    additionals: [],
    edns: undefined,
  },
});
