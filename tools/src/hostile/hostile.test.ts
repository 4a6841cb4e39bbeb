import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attacks } from "./attacks/index.js";
import { startVictim, type Victim } from "./victim.js";
import { withstand } from "./withstand.js";

/** GETs that another user makes during each attack. `npm run tool -- hostile` makes all attacks, and measures for as long as one likes. */
const gets = 5;
/** Attacks of one kind stand next to each other: every third one is a sample of all kinds, in half a minute. */
const sample = attacks
  .filter((attack) => !attack.isLong && attack.on !== "cluster")
  .filter((_, index) => index % 3 === 0);

describe("while one client does its worst, another is answered, and nothing is left behind", {
  timeout: 60_000,
}, () => {
  let victim: Victim;
  beforeAll(async () => {
    victim = await startVictim();
  });
  afterAll(() => victim.stop());

  for (const { name } of sample) {
    it(name, async () => {
      const { failures, leaks } = await withstand(victim, name, (done) => done >= gets);
      expect({ failures, leaks }).toEqual({ failures: [], leaks: [] });
    });
  }
  it("and the server ends when it is asked to", async () => expect(await victim.stop()).toBe(0));
});
