import { createHash } from "node:crypto";

/** The hash of a flow, as upstream computes it (k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go, hashFlowID): from the schema's name and the flow distinguisher. */
export function hashFlow(schemaName: string, distinguisher: string): bigint {
  return createHash("sha256")
    .update(schemaName)
    .update(Uint8Array.of(0))
    .update(distinguisher)
    .digest()
    .readBigUInt64LE(0);
}

/**
 * Shuffle sharding: deals `handSize` different cards out of `deckSize`, decided by the hash alone. Two flows seldom get the same hand, so a flow that fills
 * all of its queues leaves others at least one of theirs.
 */
export function deal(hash: bigint, deckSize: number, handSize: number): number[] {
  const remainders: number[] = [];
  let rest = hash;
  for (let at = 0; at < handSize; at++) {
    const left = BigInt(deckSize - at);
    remainders.push(Number(rest % left));
    rest /= left;
  }
  // Each remainder counts among the cards not dealt yet.
  return remainders.map((remainder, at) => {
    let card = remainder;
    for (let before = at; before > 0; before--) if (card >= (remainders[before - 1] as number)) card++;
    return card;
  });
}
