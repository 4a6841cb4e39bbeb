/** Old leader elections keep their state in Endpoints that have no service. */
export const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";
