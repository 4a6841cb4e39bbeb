/** Who answers, as the answers name it. */
export interface EchoContext {
  readonly namespace: string;
  readonly ingress: string;
  readonly service: string;
  readonly pod: string;
}
