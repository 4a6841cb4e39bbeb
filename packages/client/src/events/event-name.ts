import { checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { Runtime } from "@coxswain/runtime";
import { randomInt, randomUuid } from "@coxswain/runtime/random";

/**
 * Names for events: the object's name and the time in nanoseconds as hexadecimal digits. The clock counts milliseconds, so the
 * rest is random: two recorders with an event about one object in one millisecond would otherwise choose the same name, and the
 * server would refuse the second event. Names of one recorder always differ. A name that no event can have becomes a UUID.
 */
export function createEventNames({ clock, random }: Runtime): (objectName: string) => string {
  let last = 0n;
  return (objectName) => {
    const now = BigInt(Math.trunc(clock.now())) * 1_000_000n + BigInt(randomInt(1_000_000, random));
    last = now > last ? now : last + 1n;
    const name = `${objectName}.${last.toString(16)}`;
    return checkDnsSubdomain(name).length === 0 ? name : randomUuid(random);
  };
}
