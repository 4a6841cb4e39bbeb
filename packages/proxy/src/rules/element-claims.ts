import { type Container, containers, type Element } from "./element.js";

interface Claim {
  readonly owner: string;
  readonly rank: string;
  readonly value: string;
}

/** Two services that want the same address and port. */
export interface Collision {
  readonly container: Container;
  readonly key: string;
  readonly winner: string;
  readonly loser: string;
}

/**
 * Which elements the services want. Several may want the same one: the endpoint of two services is in the hairpin set for both, and
 * nothing keeps two services from claiming the same external address. The claim with the lowest rank has it; when it goes, the next
 * one does.
 */
export class ElementClaims {
  readonly #claims = new Map<Container, Map<string, Claim[]>>(containers.map((name) => [name, new Map()]));

  /** Answers the collision, if another service has claimed the element with another value. */
  add({ container, key, value }: Element, { owner, rank }: { owner: string; rank: string }): Collision | undefined {
    const byKey = this.#of(container);
    const claims = byKey.get(key);
    const claim = { owner, rank, value };
    if (claims === undefined) {
      byKey.set(key, [claim]);
      return undefined;
    }
    const other = claims.find((one) => one.owner !== owner && one.value !== value);
    claims.push(claim);
    claims.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
    if (other === undefined) return undefined;
    const winner = claims[0]?.owner ?? owner;
    return { container, key, winner, loser: winner === owner ? other.owner : owner };
  }

  remove({ container, key }: Element, owner: string): void {
    const byKey = this.#of(container);
    const left = (byKey.get(key) ?? []).filter((claim) => claim.owner !== owner);
    if (left.length === 0) byKey.delete(key);
    else byKey.set(key, left);
  }

  /** The value that the element is to have; undefined: it is not to be there. */
  valueOf(container: Container, key: string): string | undefined {
    return this.#of(container).get(key)?.[0]?.value;
  }

  *elements(): Iterable<Element> {
    for (const [container, byKey] of this.#claims)
      for (const [key, [claim]] of byKey) if (claim !== undefined) yield { container, key, value: claim.value };
  }

  #of(container: Container): Map<string, Claim[]> {
    const found = this.#claims.get(container);
    if (found === undefined) throw new Error(`no container ${container}`);
    return found;
  }
}
