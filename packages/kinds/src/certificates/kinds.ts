import type { AnyKind } from "../definition/kind-definition.js";
import { certificateSigningRequestKind } from "./certificate-signing-request/kind.js";

export const certificatesKinds: readonly AnyKind[] = [certificateSigningRequestKind];
