import { describe, expect, it } from "vitest";
import { clusterFolder } from "./cluster-home.js";

describe("the folder of a cluster", () => {
  const environment = { COXSWAIN_HOME: "/clusters" };
  it("goes by its name", () => expect(clusterFolder({ name: "dev-2" }, environment)).toBe("/clusters/dev-2"));
  it("is the data directory that was named", () =>
    expect(clusterFolder({ name: "dev", dataDir: "/data" }, environment)).toBe("/data"));
  for (const name of ["", "../other", "Dev", "-a", "a-", "a".repeat(41)])
    it(`refuses the name ${JSON.stringify(name)}`, () =>
      expect(() => clusterFolder({ name }, environment)).toThrow("--name must be"));
});
