import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attacks } from "./attacks/index.js";
import { startVictim, type Victim } from "./victim.js";
import { withstand } from "./withstand.js";

/** GETs that another user makes during each attack. `npm run tool -- hostile` measures for as long as one likes. */
const gets = 5;

describe("while one client does its worst, another is answered, and nothing is left behind", {
  timeout: 60_000,
}, () => {
  let victim: Victim;
  beforeAll(async () => {
    victim = await startVictim();
  });
  afterAll(() => victim.stop());

  for (const { name } of attacks.filter((attack) => !attack.isLong && attack.on !== "cluster")) {
    it(name, async () => {
      const { failures, leaks } = await withstand(victim, name, (done) => done >= gets);
      expect({ failures, leaks }).toEqual({ failures: [], leaks: [] });
    });
  }
  it("and the server ends when it is asked to", async () => expect(await victim.stop()).toBe(0));
});
