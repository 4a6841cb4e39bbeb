/** Where a change stands in the log: its revision, and which change of that revision it is, from 0. */
export interface Position {
  readonly revision: number;
  readonly sub: number;
}

/** Behind every change of its revision. */
export const lastSub = 0xffff_ffff;

/** Behind every change there will ever be: a revision has six bytes. */
export const endOfLog: Position = { revision: 2 ** 48 - 1, sub: lastSub };

/** On disk: six bytes of revision, four of sub, big-endian, so that the order of bytes is the order of changes. */
export const positionKeys = {
  writeKey({ revision, sub }: Position, target: Uint8Array, at: number): number {
    const high = Math.floor(revision / 0x100_0000);
    const low = revision % 0x100_0000;
    target[at] = high >>> 16;
    target[at + 1] = high >>> 8;
    target[at + 2] = high;
    target[at + 3] = low >>> 16;
    target[at + 4] = low >>> 8;
    target[at + 5] = low;
    target[at + 6] = sub >>> 24;
    target[at + 7] = sub >>> 16;
    target[at + 8] = sub >>> 8;
    target[at + 9] = sub;
    return at + 10;
  },
  readKey(source: Uint8Array, at: number): Position {
    const byte = (i: number): number => source[at + i]!;
    const high = (byte(0) << 16) | (byte(1) << 8) | byte(2);
    const low = (byte(3) << 16) | (byte(4) << 8) | byte(5);
    const sub = ((byte(6) << 24) | (byte(7) << 16) | (byte(8) << 8) | byte(9)) >>> 0;
    return { revision: high * 0x100_0000 + low, sub };
  },
};
