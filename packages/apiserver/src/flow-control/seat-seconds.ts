/**
 * Work, and progress through it, in hundred-millionths of a seat held for a second: whole numbers, so that sums come out the same
 * in any order. Upstream counts in the same unit.
 */
export type SeatSeconds = number;

const perMillisecond = 1e5;
const perSecond = 1e8;

/** How long a request is thought to run before it is known. */
export const estimatedServiceMs = 3;

export const seatsTimesMs = (seats: number, ms: number): SeatSeconds => Math.round(seats * ms * perMillisecond);

/** Time that the work takes with this many seats, in milliseconds. */
export const msPerSeat = (work: SeatSeconds, seats: number): number => work / seats / perMillisecond;

export const toSeconds = (work: SeatSeconds): number => work / perSecond;

/** As the dump pages show it: `0.00300000ss`. */
export function seatSecondsText(work: SeatSeconds): string {
  const whole = Math.floor(work / perSecond);
  return `${whole}.${String(work - whole * perSecond).padStart(8, "0")}ss`;
}
