/** What every record has. */
export interface RecordHead {
  readonly name: string;
  readonly class: number;
  /** Seconds. */
  readonly ttl: number;
}

export interface AddressRecord extends RecordHead {
  readonly type: "A" | "AAAA";
  /** An IPv4 address for A, an IPv6 address for AAAA. */
  readonly address: string;
}

export interface TargetRecord extends RecordHead {
  readonly type: "CNAME" | "NS" | "PTR";
  readonly target: string;
}

export interface SrvRecord extends RecordHead {
  readonly type: "SRV";
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

export interface MxRecord extends RecordHead {
  readonly type: "MX";
  readonly preference: number;
  readonly target: string;
}

export interface TxtRecord extends RecordHead {
  readonly type: "TXT";
  /** Each of at most 255 octets, one character per octet. */
  readonly texts: readonly string[];
}

export interface SoaRecord extends RecordHead {
  readonly type: "SOA";
  readonly nameServer: string;
  readonly mailbox: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  /** TTL of negative answers in seconds (RFC 2308, section 4). */
  readonly minimum: number;
}

/** Any other type, its data as it is. Only types whose names are never compressed can be passed on so (RFC 3597, section 4). */
export interface OtherRecord extends RecordHead {
  readonly type: "other";
  readonly code: number;
  readonly data: Uint8Array;
}

export type ResourceRecord = AddressRecord | TargetRecord | SrvRecord | MxRecord | TxtRecord | SoaRecord | OtherRecord;
