import type { UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests } from "@coxswain/client/transport";
import type { Life } from "../programs/programs.js";
import { whileAlive } from "../programs/while-alive.js";
import type { CurrentServer } from "./current-server.js";
import type { TestWorld } from "./test-world.js";

/** Of the user names of programs under test. */
export const programPrefix = "program:";

/** An administrator, so that a test needs no roles; pass a user to exercise RBAC. */
export const programUser = (name: string): UserInfo => ({
  name: `${programPrefix}${name}`,
  groups: ["system:masters", "system:authenticated"],
});

export const programNameOf = (user: UserInfo): string => user.name.replace(programPrefix, "");

/** The client of a test itself. */
export const clientOfTest = (server: CurrentServer, { runtime }: TestWorld, user: UserInfo): Client =>
  createClient({
    transport: countRequests(server.stepping(server.transportFor(user)), runtime.activity),
    runtime,
    onWarning: () => {},
  });

/** The client of one life of a program under test. */
export function clientOfProgram(
  server: CurrentServer,
  { runtime }: TestWorld,
  user: UserInfo,
  { isAlive, process, through }: Life,
): Client {
  const name = programNameOf(user);
  const stepping = server.stepping(server.transportFor(user), name);
  const counted = countRequests(whileAlive(stepping, isAlive), runtime.activity);
  // Outside of what is counted: a request that a storm or a pause keeps must not keep time from passing.
  return createClient({
    transport: process.transport(whileAlive(through ? through(counted) : counted, isAlive)),
    runtime: { ...runtime, clock: process.clock(runtime.clock) },
    userAgent: name,
    onWarning: () => {},
  });
}
