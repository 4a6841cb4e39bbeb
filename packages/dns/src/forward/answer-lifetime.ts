import { type Message, type ResourceRecord, recordTypes, responseCodes, type SoaRecord } from "@coxswain/wire/dns";

/** Seconds, as `cache 30` in kubeadm's configuration of CoreDNS. */
const maxSeconds = 30;
/** Of SERVFAIL (RFC 2308, section 7.1, allows five minutes; CoreDNS has five seconds). */
const failureSeconds = 5;

/** Obsolete types whose data may contain compressed names (RFC 3597, section 4): their data means nothing in another message. */
const compressedTypes = new Set([3, 4, 7, 8, 9, 14]);

export type AnswerKind = "success" | "denial";

export interface Lifetime {
  readonly kind: AnswerKind;
  readonly seconds: number;
}

/** How long an answer of another server may be given to others; undefined: not at all. Negative answers need a SOA (RFC 2308, section 5). */
export function lifetimeOf(message: Message): Lifetime | undefined {
  const { answers, authorities, additionals, responseCode } = message;
  const all = [...answers, ...authorities, ...additionals];
  if (message.truncated || all.some((record) => record.type === "other" && compressedTypes.has(record.code)))
    return undefined;
  if (responseCode === responseCodes.SERVFAIL) return { kind: "denial", seconds: failureSeconds };
  const soa = authorities.find((record): record is SoaRecord => record.type === "SOA");
  const isDenial = responseCode === responseCodes.NXDOMAIN || !hasAnswer(message);
  if (responseCode !== responseCodes.NOERROR && responseCode !== responseCodes.NXDOMAIN) return undefined;
  if (isDenial && !soa) return undefined;
  const least = isDenial && soa ? Math.min(maxSeconds, soa.minimum) : maxSeconds;
  const seconds = all.reduce((lowest, { ttl }) => Math.min(lowest, ttl), least);
  return seconds > 0 ? { kind: isDenial ? "denial" : "success", seconds } : undefined;
}

/** An alias whose end is missing is no answer. */
function hasAnswer({ questions: [question], answers }: Message): boolean {
  return answers.some((record) => question?.type === recordTypes.ANY || codeOf(record) === question?.type);
}

const codeOf = (record: ResourceRecord): number => (record.type === "other" ? record.code : recordTypes[record.type]);
