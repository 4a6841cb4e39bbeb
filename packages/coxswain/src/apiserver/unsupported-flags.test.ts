import { describe, expect, it } from "vitest";
import { apiserverFlags } from "./apiserver-flags.js";
import { kubeApiserverFlags } from "./kube-apiserver-flags.js";
import { refuseUnsupported, unsupportedReason } from "./unsupported-flags.js";

describe("the flags of kube-apiserver", () => {
  it("each is taken, or refused with its reason", () => {
    expect(kubeApiserverFlags.length).toBe(172);
    const unexplained = kubeApiserverFlags.filter(
      (name) => !Object.hasOwn(apiserverFlags, name) && unsupportedReason(name) === "it is not supported yet",
    );
    expect(unexplained).toEqual([]);
  });
  it("a refusal names the flag and the reason", () =>
    expect(() => refuseUnsupported(["--secure-port=1", "--egress_selector-config-file=x"])).toThrow(
      "--egress-selector-config-file is a flag of kube-apiserver that Coxswain does not take: connections go out directly",
    ));
  it("what is taken, and what is no flag of theirs, is left to the parser", () =>
    expect(() => refuseUnsupported(["--secure-port=1", "--nonsense", "--", "--oidc-issuer-url"])).not.toThrow());
});
