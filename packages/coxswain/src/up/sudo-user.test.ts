import { describe, expect, it } from "vitest";
import { sudoKubeconfig, userBehindSudo } from "./sudo-user.js";

const entry = (): string => "ann:x:1000:1001:Ann,,,:/home/ann:/bin/bash\n";

describe("who called by sudo", () => {
  const called = { SUDO_UID: "1000", SUDO_GID: "1001" };
  const cases = [
    { name: "a user, with the home folder of the user database", env: called, uid: 0, home: "/home/ann" },
    { name: "nobody, without sudo", env: {}, uid: 0, home: undefined },
    { name: "nobody, in a process that is not root's", env: called, uid: 1000, home: undefined },
    { name: "nobody, where root called", env: { SUDO_UID: "0", SUDO_GID: "0" }, uid: 0, home: undefined },
    {
      name: "nobody, where the variables are no numbers",
      env: { SUDO_UID: "x", SUDO_GID: "1" },
      uid: 0,
      home: undefined,
    },
  ];
  for (const { name, env, uid, home } of cases)
    it(name, () => expect(userBehindSudo(env, uid, entry)?.home).toBe(home));

  it("nobody, where the database does not know the user", () =>
    expect(userBehindSudo(called, 0, () => "")).toBeUndefined());
});

it("a cluster with a name has a kubeconfig of its own", () =>
  expect(sudoKubeconfig({ uid: 1, gid: 1, home: "/home/ann" }, "shop")).toBe("/home/ann/.kube/coxswain-shop"));
