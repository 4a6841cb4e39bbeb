import { paddedLength } from "./wal-record.js";

const roomBytes = 256 * 1024;
const keptRooms = 4;

interface Room {
  readonly bytes: Buffer;
  used: number;
  /** How many records in it are still needed. */
  records: number;
  /** Somebody may read it for as long as they like: it is never written to again. */
  left: boolean;
}

/** A record's place in memory. */
export interface RecordRoom {
  /** Whole pages, the rest behind the record filled with zeros. */
  readonly bytes: Buffer;
  readonly room: Room;
}

/** Memory for records, several to a room; a room whose records are all done with is used again. */
export class RecordRooms {
  #current: Room | undefined;
  readonly #free: Room[] = [];

  /** Lets `write` fill in at most `maxBytes`, which returns how many it took. */
  take(maxBytes: number, write: (bytes: Buffer) => number): RecordRoom {
    const wanted = paddedLength(maxBytes);
    if (this.#current === undefined || this.#current.bytes.length - this.#current.used < wanted)
      this.#current = this.#next(wanted);
    const room = this.#current;
    const length = write(room.bytes.subarray(room.used, room.used + wanted));
    const bytes = room.bytes.subarray(room.used, room.used + paddedLength(length));
    bytes.fill(0, length);
    room.used += bytes.length;
    room.records += 1;
    return { bytes, room };
  }

  /** `reuse` is false when somebody may still read what lies there: then the memory is left to them. */
  giveBack({ room }: RecordRoom, { reuse }: { reuse: boolean }): void {
    room.records -= 1;
    room.left ||= !reuse;
    if (room.left) {
      if (room === this.#current) this.#current = undefined;
    } else if (room.records === 0) {
      room.used = 0;
      if (room !== this.#current && room.bytes.length === roomBytes && this.#free.length < keptRooms)
        this.#free.push(room);
    }
  }

  #next(wanted: number): Room {
    const free = wanted <= roomBytes ? this.#free.pop() : undefined;
    return free ?? { bytes: Buffer.allocUnsafeSlow(Math.max(roomBytes, wanted)), used: 0, records: 0, left: false };
  }
}
