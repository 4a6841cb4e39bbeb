import { builtInTypes } from "@coxswain/api/tables";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { decodeProtobufObject, isProtobuf } from "@coxswain/apimachinery/protobuf";
import { internalError } from "@coxswain/apimachinery/status";
import type { KeyRecord, KeyValueStore, Write } from "@coxswain/storage";
import type { PortRange } from "./port-claims.js";

export const portRecordKey = "/registry/ranges/servicenodeports";

/** The node ports in use, kept as upstream keeps them (pkg/registry/core/service/portallocator/allocator.go, Snapshot): one RangeAllocation with a bit per port. */
export interface PortRecord {
  used(): Promise<ReadonlySet<number>>;
  /** The write that makes `used` the ports in use. */
  write(used: ReadonlySet<number>): Write;
  /** It was written with the others of its transaction. */
  written(used: ReadonlySet<number>, revision: number): void;
  /** Another server was faster. */
  lost(current: KeyRecord | undefined): void;
}

interface State {
  readonly revision: number;
  readonly used: ReadonlySet<number>;
}

/** `inUse`: what the services that are there hold, for when there is no record or one of another range. */
export function createPortRecord(store: KeyValueStore, range: PortRange, inUse: () => Iterable<number>): PortRecord {
  let state: State | undefined;
  const read = (record: KeyRecord | undefined): State => {
    const known = record && decodeRecord(record.value, range);
    const ports = known ?? [...inUse()].filter((port) => port >= range.first && port <= range.last);
    return { revision: record?.revision ?? 0, used: new Set(ports) };
  };
  return {
    async used() {
      state ??= read(await store.get(portRecordKey));
      return state.used;
    },
    write: (used) => ({ op: "put", key: portRecordKey, value: encode(used, range), expected: state?.revision ?? 0 }),
    written(used, revision) {
      // A later write of our own may have been answered first.
      if (!state || revision > state.revision) state = { revision, used };
    },
    lost(current) {
      if (!state || !current || current.revision > state.revision) state = read(current);
    },
  };
}

/** @throws StatusError where the record is damaged: which ports are free is unknown then */
function decodeRecord(value: Uint8Array, range: PortRange): number[] | undefined {
  try {
    return decode(value, range);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw internalError(`unable to decode key ${JSON.stringify(portRecordKey)}: ${why}`, { cause });
  }
}

const name = ({ first, last }: PortRange): string => `${first}-${last}`;

/** The bits of a big-endian number, as short as can be; the first port is its lowest bit. */
function encode(used: ReadonlySet<number>, range: PortRange): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((range.last - range.first + 1) / 8));
  for (const port of used) {
    const bit = port - range.first;
    const at = bytes.length - 1 - (bit >> 3);
    bytes[at] = (bytes[at] ?? 0) | (1 << (bit & 7));
  }
  const start = bytes.findIndex((byte) => byte !== 0);
  const data = Buffer.from(start < 0 ? [] : bytes.subarray(start)).toString("base64");
  const type = rangeAllocation();
  return encodeJson(
    walk({ kind: "RangeAllocation", apiVersion: "v1", metadata: {}, range: name(range), data }, type),
    type,
  );
}

const rangeAllocation = () => builtInTypes.get("io.k8s.api.core.v1.RangeAllocation");

/** Undefined: it is of another range. A kube-apiserver over the same store writes it as protobuf. */
function decode(value: Uint8Array, range: PortRange): number[] | undefined {
  const record = (
    isProtobuf(value) ? decodeProtobufObject(value, rangeAllocation()) : JSON.parse(new TextDecoder().decode(value))
  ) as { range?: string; data?: string };
  if (record.range !== name(range)) return undefined;
  const bytes = Buffer.from(record.data ?? "", "base64");
  const ports: number[] = [];
  bytes.forEach((byte, at) => {
    for (let bit = 0; bit < 8; bit++)
      if (byte & (1 << bit)) ports.push(range.first + (bytes.length - 1 - at) * 8 + bit);
  });
  return ports;
}
