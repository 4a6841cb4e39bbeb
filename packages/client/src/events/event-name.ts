import type { Clock } from "@coxswain/apimachinery/clock";
import { type RandomSource, randomUuid } from "@coxswain/apimachinery/random";
import { checkDnsSubdomain } from "@coxswain/apimachinery/validation";

/**
 * Names for events: the object's name and the time in nanoseconds as hexadecimal digits. Names of one source differ even
 * within a millisecond. A name that no event can have becomes a UUID.
 */
export function createEventNames(clock: Clock, random: RandomSource): (objectName: string) => string {
  let last = 0n;
  return (objectName) => {
    const now = BigInt(Math.trunc(clock.now())) * 1_000_000n;
    last = now > last ? now : last + 1n;
    const name = `${objectName}.${last.toString(16)}`;
    return checkDnsSubdomain(name).length === 0 ? name : randomUuid(random);
  };
}
