import { expect, it } from "vitest";
import { publicAddress } from "./advertised-address.js";

it("pods find the keys of tokens at the address that is named for them", () =>
  expect([undefined, "10.0.0.1", "fd00::1"].map((address) => publicAddress(address, 6443))).toEqual([
    undefined,
    "10.0.0.1:6443",
    "[fd00::1]:6443",
  ]));
