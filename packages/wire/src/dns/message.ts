import type { ResourceRecord } from "./resource-record.js";

/** The flags and codes at the head of a message (RFC 1035, section 4.1.1; RFC 2535, section 6.1). */
export interface Header {
  /** 16 bits. */
  readonly id: number;
  /** QR: a response, not a query. */
  readonly isResponse: boolean;
  readonly opcode: number;
  /** AA */
  readonly authoritative: boolean;
  /** TC: records were left out; the client asks again over TCP. */
  readonly truncated: boolean;
  /** RD */
  readonly recursionDesired: boolean;
  /** RA */
  readonly recursionAvailable: boolean;
  /** AD */
  readonly authenticData: boolean;
  /** CD */
  readonly checkingDisabled: boolean;
  /** RCODE, with the upper bits of an OPT record. */
  readonly responseCode: number;
}

export interface Question {
  readonly name: string;
  /** `recordTypes` has those that are known by name. */
  readonly type: number;
  readonly class: number;
}

/** The OPT record (RFC 6891, section 6.1). */
export interface Edns {
  /** Octets of a UDP datagram that the sender of the message takes. */
  readonly udpSize: number;
  readonly version: number;
  /** DO: the sender wants DNSSEC's records. */
  readonly dnssecOk: boolean;
  readonly options: readonly EdnsOption[];
}

export interface EdnsOption {
  readonly code: number;
  readonly data: Uint8Array;
}

export interface Message extends Header {
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
  /** Without OPT, which is `edns`. */
  readonly additionals: readonly ResourceRecord[];
  /** Undefined: the message has no OPT record. */
  readonly edns: Edns | undefined;
}
