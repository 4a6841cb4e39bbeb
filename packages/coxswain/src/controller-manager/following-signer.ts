import { createRequestSigner, type SignRequest } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";

/** A certificate of an authority, or several of which one has the key, and that key, PEM-encoded. */
export interface SigningAuthority {
  readonly certificate: string;
  readonly key: string;
}

/** What signs now: it is asked before each certificate, so that a rotation needs no restart. */
export type AuthoritySource = () => SigningAuthority;

/**
 * Signs by the authority of the moment. One that cannot be read, or whose key is another's, is being replaced: the last one goes on.
 * @throws Error where the first one cannot be used
 */
export function followingSigner(read: AuthoritySource): SignRequest {
  let known = read();
  let sign = signerOf(known);
  return (request) => {
    try {
      const now = read();
      if (now.certificate !== known.certificate || now.key !== known.key) {
        sign = signerOf(now);
        known = now;
      }
    } catch {
      // between two of its files
    }
    return sign(request);
  };
}

const signerOf = (authority: SigningAuthority): SignRequest =>
  createRequestSigner({ ...authority, clock: systemClock, random: systemRandom });
