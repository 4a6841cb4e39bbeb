import { MessageReader, type Question, readHeader, readQuestion } from "@coxswain/wire/dns";

/**
 * Whether the bytes are an answer to this question under this id (RFC 5452, section 9.1): anybody can send a datagram that claims to come
 * from a server. A server may change the case of the name.
 */
export function matchesQuery(bytes: Uint8Array, id: number, question: Question): boolean {
  try {
    const reader = new MessageReader(bytes);
    const { header, questions } = readHeader(reader);
    if (header.id !== id || !header.isResponse || header.opcode !== 0 || questions !== 1) return false;
    const { name, type, class: questionClass } = readQuestion(reader);
    return (
      type === question.type && questionClass === question.class && name.toLowerCase() === question.name.toLowerCase()
    );
  } catch {
    return false; // no message at all
  }
}
