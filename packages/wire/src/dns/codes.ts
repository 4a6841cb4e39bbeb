/** Types of records and questions (IANA, "Resource Record (RR) TYPEs") that this codec or its callers know by name. */
export const recordTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  DNSKEY: 48,
  HTTPS: 65,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
} as const;

export type RecordTypeName = keyof typeof recordTypes;

const typeNames = new Map<number, string>(Object.entries(recordTypes).map(([name, code]) => [code, name]));

/** `A`; `TYPE1234` for a type without a name here (RFC 3597, section 5). */
export const nameOfType = (code: number): string => typeNames.get(code) ?? `TYPE${code}`;

/** The code of a type's name, in any case; undefined when there is none. */
export function codeOfType(name: string): number | undefined {
  const upper = name.toUpperCase();
  const known = Object.hasOwn(recordTypes, upper) ? recordTypes[upper as RecordTypeName] : undefined;
  const digits = /^TYPE(\d{1,5})$/.exec(upper)?.[1];
  return known ?? (digits !== undefined && Number(digits) <= 0xffff ? Number(digits) : undefined);
}

export const recordClasses = { IN: 1, CH: 3, NONE: 254, ANY: 255 } as const;

export const opcodes = { QUERY: 0, NOTIFY: 4, UPDATE: 5 } as const;

/** Of a response (RFC 1035, section 4.1.1; 16 and above need EDNS: RFC 6891, section 6.1.3). */
export const responseCodes = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

const codeNames = new Map<number, string>(Object.entries(responseCodes).map(([name, code]) => [code, name]));

export const nameOfResponseCode = (code: number): string => codeNames.get(code) ?? `RCODE${code}`;
