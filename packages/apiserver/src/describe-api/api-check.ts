import type { ApiSession } from "./api-session.js";
import type { ApiUnderTest } from "./api-under-test.js";

/** One thing that clients rely on. */
export interface ApiCheck {
  readonly title: string;
  /** Whether it concerns the kind. @default every kind */
  concerns?(under: ApiUnderTest): boolean;
  body(api: ApiSession): Promise<void>;
}
